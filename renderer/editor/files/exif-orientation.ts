/** How Exif says that a picture is to be turned, 1 for not at all; from where its header of TIFF begins. */
export function orientationIn(exif: Uint8Array): number {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength)
  if (view.byteLength < 14) return 1
  const little = view.getUint16(0) === 0x4949
  const directory = view.getUint32(4, little)
  if (directory + 2 > view.byteLength) return 1
  const count = view.getUint16(directory, little)
  for (let at = directory + 2; at < directory + 2 + count * 12 && at + 12 <= view.byteLength; at += 12)
    if (view.getUint16(at, little) === orientationTag) {
      const orientation = view.getUint16(at + 8, little)
      return orientation >= 1 && orientation <= 8 ? orientation : 1
    }
  return 1
}

const orientationTag = 0x0112

/** A segment of a JPEG that says how the picture is turned, and nothing else. */
export const orientationSegment = (orientation: number): Uint8Array =>
  Uint8Array.from([
    ...[0xff, 0xe1, 0, 34],
    ...[...'Exif\0\0MM\0*'].map((sign) => sign.charCodeAt(0)),
    // One directory with one entry, a short, and no other directory after it.
    ...[0, 0, 0, 8, 0, 1, orientationTag >> 8, orientationTag & 255, 0, 3, 0, 0, 0, 1],
    ...[0, orientation, 0, 0, 0, 0, 0, 0],
  ])
