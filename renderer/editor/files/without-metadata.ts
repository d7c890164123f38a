import { orientationIn, orientationSegment } from './exif-orientation.ts'
import { partsOfGif } from './filter-gif.ts'

/**
 * A picture without what is said of it beside its pixels: where, when and with what it was taken, by whom, and what comes
 * behind it, such as further pictures. What it shows isn't touched: its colours and how it is turned stay. Only what is
 * known to be about that is kept.
 * @returns null for what isn't built as it should be, or can't be freed of it without being drawn anew
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return filterJpeg(bytes)
  if (bytes[0] === 0x89 && latin(bytes, 1, 3) === 'PNG') return filterPng(bytes)
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 4) === 'WEBP') return filterWebp(bytes)
  if (latin(bytes, 0, 4) === 'GIF8') {
    const parts = partsOfGif(bytes)
    return parts && joined(parts)
  }
  return null
}

const latin = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

/** JPEG: T.81 B.2.4. Of its applications' segments JFIF, colour profiles and Adobe's are about the picture. */
function filterJpeg(bytes: Uint8Array): Uint8Array | null {
  const kept = [bytes.subarray(0, 2)]
  let orientation = 1
  const start = eachSegment(bytes, (marker, from, to) => {
    if (marker === 0xe1 && latin(bytes, from + 4, 6) === 'Exif\0\0')
      orientation = orientationIn(bytes.subarray(from + 10, to))
    if (isOfPicture(bytes, marker, from)) kept.push(bytes.subarray(from, to))
  })
  const end = start === null ? null : endOfPicture(bytes, start)
  if (start === null || end === null) return null
  if (orientation !== 1) kept.splice(1, 0, orientationSegment(orientation))
  return joined([...kept, bytes.subarray(start, end)])
}

function isOfPicture(bytes: Uint8Array, marker: number, from: number): boolean {
  if (marker === 0xe0) return latin(bytes, from + 4, 5) === 'JFIF\0'
  if (marker === 0xe2) return latin(bytes, from + 4, 12) === 'ICC_PROFILE\0'
  const isApplication = marker >= 0xe0 && marker <= 0xef
  return marker === 0xee || (!isApplication && marker !== 0xfe)
}

/** @returns where the compressed picture begins; null if the header isn't a JPEG's */
function eachSegment(
  bytes: Uint8Array,
  look: (marker: number, from: number, to: number) => void,
): number | null {
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xda) return at
    const to = at + 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!)
    if (to < at + 4 || to > bytes.length) return null
    look(marker, at, to)
    at = to
  }
  return null
}

/** Behind the picture's last byte; its scans begin at `at`, with tables between them. */
function endOfPicture(bytes: Uint8Array, at: number): number | null {
  for (;;) {
    at += 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!)
    // Of what is compressed, no byte of ones is followed by anything but nothing or a restart.
    while (at + 1 < bytes.length && (bytes[at] !== 0xff || isWithin(bytes[at + 1]!))) at++
    if (at + 1 >= bytes.length) return null
    if (bytes[at + 1] === 0xd9) return at + 2
    if (at + 4 > bytes.length) return null
  }
}
const isWithin = (marker: number) => marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)

/** What of a PNG is about its pixels, beside the chunks that no reader may pass over, whose names begin with a capital. */
const pngChunks = new Set([
  ...['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'pHYs', 'sPLT', 'hIST'],
  ...['acTL', 'fcTL', 'fdAT'],
])

/** PNG: W3C, 5.3. What a reader would have to turn by its Exif is left to be drawn anew. */
function filterPng(bytes: Uint8Array): Uint8Array | null {
  const kept = [bytes.subarray(0, 8)]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length;) {
    const to = at + 12 + view.getUint32(at)
    if (to > bytes.length) return null
    const name = latin(bytes, at + 4, 4)
    if (name === 'eXIf' && orientationIn(bytes.subarray(at + 8, to - 4)) !== 1) return null
    if (/^[A-Z]/.test(name) || pngChunks.has(name)) kept.push(bytes.subarray(at, to))
    if (name === 'IEND') return joined(kept)
    at = to
  }
  return null
}

const webpChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Of the flags in `VP8X`: that there is Exif, and XMP. */
const metadataFlags = 0x0c

/** WebP: RFC 9649, 2.7. What a reader would have to turn by its Exif is left to be drawn anew. */
function filterWebp(bytes: Uint8Array): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length < 12 ? 0 : 8 + view.getUint32(4, true)
  if (end > bytes.length) return null
  const kept = [bytes.slice(0, 12)]
  let at = 12
  while (at + 8 <= end) {
    const name = latin(bytes, at, 4)
    const size = view.getUint32(at + 4, true)
    const to = at + 8 + size + (size % 2)
    if (to > end) return null
    if (name === 'EXIF' && orientationIn(tiffIn(bytes.subarray(at + 8, at + 8 + size))) !== 1) return null
    if (webpChunks.has(name)) kept.push(bytes.slice(at, to))
    if (name === 'VP8X') kept.at(-1)![8]! &= ~metadataFlags
    at = to
  }
  if (at !== end || kept.length < 2) return null
  const whole = joined(kept)
  new DataView(whole.buffer).setUint32(4, whole.length - 8, true)
  return whole
}

/** Some programs put JPEG's mark before it. */
const tiffIn = (exif: Uint8Array) => (latin(exif, 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
