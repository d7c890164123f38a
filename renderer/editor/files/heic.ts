/** The brands of HEIF whose pictures are coded as HEVC, as phones of Apple's and others write them. */
const brands = /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/

/** Whether this is a photo in HEIC or HEIF, which only Safari shows: by how it begins (ISO 14496-12, 4.3). */
export function isHeic(bytes: Uint8Array): boolean {
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (word(4) !== 'ftyp') return false
  const end = Math.min(bytes.length, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0))
  const others: string[] = []
  for (let at = 16; at + 4 <= end; at += 4) others.push(word(at))
  // AVIF is built the same way, and browsers show it.
  return brands.test(word(8)) && !others.includes('avif') && word(8) !== 'avif'
}
