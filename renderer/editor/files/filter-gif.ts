const latin = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

/** Of applications’ extensions those that are about the picture: how often it is shown, and its colours. */
const applications = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])
const [extension, image, trailer] = [0x21, 0x2c, 0x3b]
const [control, application] = [0xf9, 0xff]

/**
 * The parts of a GIF (89a, 15 to 27) without what is said of it beside its pixels: its comments, and what programs
 * wrote into it, such as XMP; nor what comes behind it.
 * @returns null for what isn’t built as it should be
 */
export function partsOfGif(bytes: Uint8Array): Uint8Array[] | null {
  if (bytes.length < 13) return null
  let at = 13 + tableSize(bytes[10]!)
  const kept = [bytes.subarray(0, at)]
  while (at < bytes.length) {
    const sign = bytes[at]
    if (sign === trailer) return [...kept, bytes.subarray(at, at + 1)]
    // An image says how large it is, and brings a table of colours and a size of codes before its data.
    const data = sign === image ? at + 11 + tableSize(bytes[at + 9] ?? 0) : sign === extension ? at + 2 : null
    const to = data === null ? null : endOfBlocks(bytes, data)
    if (to === null) return null
    if (sign === image || isOfPicture(bytes, at)) kept.push(bytes.subarray(at, to))
    at = to
  }
  return null
}

const tableSize = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Behind the blocks that begin there, each with its length before it; the last is empty. */
function endOfBlocks(bytes: Uint8Array, from: number): number | null {
  let at = from
  while (at < bytes.length) {
    const length = bytes[at]!
    at += 1 + length
    if (length === 0) return at
  }
  return null
}

function isOfPicture(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1]
  return label === control || (label === application && applications.has(latin(bytes, at + 3, 11)))
}
