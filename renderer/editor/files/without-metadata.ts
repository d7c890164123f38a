/**
 * Where and with what a picture was taken, taken out of its bytes without touching what it shows: Exif, XMP, IPTC and
 * comments of a JPEG (T.81 B.2.4), text and Exif of a PNG. What isn't built as it should be stays as it is.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return filterJpeg(bytes) ?? bytes
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return filterPng(bytes) ?? bytes
  return bytes
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
  return start === null ? null : joined([...kept, bytes.subarray(start)])
}

const metadataChunks = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

function filterPng(bytes: Uint8Array): Uint8Array | null {
  const kept = [bytes.subarray(0, 8)]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at < bytes.length;) {
    if (at + 12 > bytes.length) return null
    const to = at + 12 + view.getUint32(at)
    if (to > bytes.length) return null
    if (!metadataChunks.has(latin(bytes, at + 4, 4))) kept.push(bytes.subarray(at, to))
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
