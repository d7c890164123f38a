/**
 * Where and with what a picture was taken, taken out of its bytes without touching what it shows: Exif, XMP, IPTC and
 * comments of a JPEG (T.81 B.2.4), and whatever comes behind it, as further pictures with Exif of their own; text and
 * Exif of a PNG.
 * @returns null for what isn't built as it should be
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return filterJpeg(bytes)
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return filterPng(bytes)
  return null
}

/** How a camera held says a JPEG is to be turned: 1 for not at all. */
export function orientationOf(bytes: Uint8Array): number {
  let orientation = 1
  eachSegment(bytes, (marker, from, to) => {
    if (marker !== 0xe1 || latin(bytes, from + 4, 6) !== 'Exif\0\0') return
    const view = new DataView(bytes.buffer, bytes.byteOffset + from + 10, Math.max(0, to - from - 10))
    if (view.byteLength < 14) return
    const little = view.getUint16(0) === 0x4949
    const directory = view.getUint32(4, little)
    if (directory + 2 > view.byteLength) return
    const count = view.getUint16(directory, little)
    for (let at = directory + 2; at < directory + 2 + count * 12 && at + 12 <= view.byteLength; at += 12)
      if (view.getUint16(at, little) === 0x0112) orientation = view.getUint16(at + 8, little)
  })
  return orientation
}

const latin = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

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

function filterJpeg(bytes: Uint8Array): Uint8Array | null {
  const kept = [bytes.subarray(0, 2)]
  const start = eachSegment(bytes, (marker, from, to) => {
    const isMetadata = marker === 0xe1 || marker === 0xed || marker === 0xfe
    if (!isMetadata) kept.push(bytes.subarray(from, to))
  })
  const end = start === null ? null : endOfPicture(bytes, start)
  return start === null || end === null ? null : joined([...kept, bytes.subarray(start, end)])
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

const metadataChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

function filterPng(bytes: Uint8Array): Uint8Array | null {
  const kept = [bytes.subarray(0, 8)]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at < bytes.length;) {
    if (at + 12 > bytes.length) return null
    const to = at + 12 + view.getUint32(at)
    if (to > bytes.length) return null
    const name = latin(bytes, at + 4, 4)
    if (!metadataChunks.has(name)) kept.push(bytes.subarray(at, to))
    if (name === 'IEND') break
    at = to
  }
  return joined(kept)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
