const polynomial = 0xedb88320

/** Product of two polynomials modulo that of CRC-32, bits reflected. */
function product(a: number, b: number): number {
  let result = 0
  for (let bit = 0x80000000 | 0; ; bit = bit >>> 1) {
    if (a & bit) {
      result ^= b
      if ((a & (bit - 1)) === 0) return result
    }
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1
  }
}

/** x to the power of 2 to the power of each index. */
const powers: number[] = [0x40000000]
while (powers.length < 32) powers.push(product(powers.at(-1)!, powers.at(-1)!))

/** What moves a sum past so many bytes: x to the power of eight times as many. */
export function shiftBy(bytes: number): number {
  let result = 0x80000000 | 0
  for (let i = 3; bytes > 0; bytes = Math.floor(bytes / 2), i++)
    if (bytes % 2 === 1) result = product(powers[i & 31]!, result)
  return result
}

/**
 * CRC-32 of what stands one after the other, by those of both and what moves past the second: `crc32_combine` of zlib
 * (Mark Adler).
 */
export const joinedCrc32 = (first: number, second: number, shift: number): number =>
  first === 0 ? second : (product(shift, first) ^ second) >>> 0
