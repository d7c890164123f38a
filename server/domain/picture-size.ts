export interface PictureSize {
  width: number
  height: number
}

/**
 * How large a picture is, as its first bytes say; null where they don't. Nothing is decoded, and each byte is looked at
 * once at most. Sources: PNG (W3C, IHDR), GIF89a, RIFF container of WebP, JPEG (T.81 B.2.2, with Exif's orientation),
 * HEIF (ISO 23008-12, `ispe`).
 */
export function pictureSizeOf(type: string, head: Uint8Array): PictureSize | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  try {
    const size = readers[type]?.(bytes) ?? null
    return size && size.width > 0 && size.height > 0 ? size : null
  } catch (error) {
    // The header goes on behind what there is.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** How many of a file's first bytes are enough: of a camera's JPEG the size stands behind its preview. */
export const pictureHeadBytes = 256 * 1024

type SizeReader = (bytes: Buffer) => PictureSize | null

const readers: Record<string, SizeReader> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/webp': webp,
  'image/jpeg': jpeg,
  'image/avif': avif,
}

function webp(bytes: Buffer): PictureSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return null
  }
}

/** Frames begin with these: not tables (C4, CC) nor JPEG's own extension (C8). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function jpeg(bytes: Buffer): PictureSize | null {
  let turned = false
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (isFrame(marker)) {
      const height = bytes.readUInt16BE(at + 5)
      const width = bytes.readUInt16BE(at + 7)
      return turned ? { width: height, height: width } : { width, height }
    }
    if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      turned = isTurned(bytes.subarray(at + 10, at + 2 + length))
    // What is compressed comes before any frame: no JPEG.
    if (marker === 0xda || length < 2) return null
    at += 2 + length
  }
}

/** Whether it is shown with its sides exchanged. */
function isTurned(exif: Buffer): boolean {
  const little = exif.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (little ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  try {
    const directory = little ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
    const entries = Math.min(short(directory), 100)
    for (let entry = 0; entry < entries; entry++) {
      const at = directory + 2 + entry * 12
      if (short(at) === 0x0112) return short(at + 8) >= 5
    }
    return false
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The largest of those that its properties name: smaller ones are tiles and previews. */
function avif(bytes: Buffer): PictureSize | null {
  let largest: PictureSize | null = null
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
    if (at + 16 > bytes.length) break
    const size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
