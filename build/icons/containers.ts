// ICO and ICNS files: both are lists of PNG images with a table of contents.

export interface Picture {
  /** Its width and height in pixels. */
  size: number
  png: Buffer
}

/** The kinds of ICNS entries that hold a PNG, with the size in pixels: those for ordinary, then for dense screens. */
export const icnsKinds = {
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
  ic10: 1024,
} as const

/** Width and height that a PNG says it has; throws when it is none. */
export function readPngSize(png: Buffer): { width: number; height: number } {
  if (png.length < 24 || png.readUInt32BE(0) !== 0x89504e47 || png.toString('latin1', 12, 16) !== 'IHDR') {
    throw new Error('This is not a PNG.')
  }
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

const icoHeader = 6
const icoEntry = 16

/** A Windows icon of these pictures, at most 256 pixels wide. */
export function writeIco(pictures: Picture[]): Buffer {
  const table = Buffer.alloc(icoHeader + icoEntry * pictures.length)
  table.writeUInt16LE(1, 2)
  table.writeUInt16LE(pictures.length, 4)
  let start = table.length
  pictures.forEach(({ size, png }, index) => {
    const at = icoHeader + icoEntry * index
    // One byte each, in which 0 stands for 256.
    table.writeUInt8(size % 256, at)
    table.writeUInt8(size % 256, at + 1)
    table.writeUInt16LE(1, at + 4)
    table.writeUInt16LE(32, at + 6)
    table.writeUInt32LE(png.length, at + 8)
    table.writeUInt32LE(start, at + 12)
    start += png.length
  })
  return Buffer.concat([table, ...pictures.map(({ png }) => png)])
}

/** The pictures in a Windows icon; throws when the file is none. */
export function readIco(ico: Buffer): Picture[] {
  if (ico.readUInt32LE(0) !== 0x00010000) throw new Error('This is not a Windows icon.')
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = icoHeader + icoEntry * index
    const start = ico.readUInt32LE(at + 12)
    return { size: ico.readUInt8(at) || 256, png: ico.subarray(start, start + ico.readUInt32LE(at + 8)) }
  })
}

const icnsHeader = 8

/** An icon for macOS, with an entry for each kind; throws when a size is missing. */
export function writeIcns(pictures: Picture[]): Buffer {
  const entries = Object.entries(icnsKinds).map(([kind, size]) => {
    const picture = pictures.find((candidate) => candidate.size === size)
    if (!picture) throw new Error(`An icon for macOS needs a picture of ${size} pixels.`)
    return Buffer.concat([icnsHead(kind, picture.png.length), picture.png])
  })
  const content = Buffer.concat(entries)
  return Buffer.concat([icnsHead('icns', content.length), content])
}

function icnsHead(kind: string, length: number): Buffer {
  const head = Buffer.alloc(icnsHeader)
  head.write(kind, 'latin1')
  head.writeUInt32BE(icnsHeader + length, 4)
  return head
}

/** The entries of an icon for macOS; throws when the file is none or is cut short. */
export function readIcns(icns: Buffer): { kind: string; png: Buffer }[] {
  if (icns.toString('latin1', 0, 4) !== 'icns' || icns.readUInt32BE(4) !== icns.length) {
    throw new Error('This is not an icon for macOS.')
  }
  const entries: { kind: string; png: Buffer }[] = []
  for (let at = icnsHeader; at < icns.length;) {
    const end = at + icns.readUInt32BE(at + 4)
    entries.push({ kind: icns.toString('latin1', at, at + 4), png: icns.subarray(at + icnsHeader, end) })
    at = end
  }
  return entries
}
