type Crc32 = (part: string, before?: number) => number

/** Node’s own takes a tenth of the time; a browser has none. */
const native = (
  globalThis as { process?: { getBuiltinModule?: (name: 'node:zlib') => { crc32: Crc32 } } }
).process?.getBuiltinModule?.('node:zlib').crc32

const table = new Int32Array(256).map((_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** CRC-32 (ISO 3309, as in gzip) of a text in UTF-8, going on from that of what stands before it. */
export const crc32: Crc32 = (part, before = 0) => {
  let rest = ~before
  const add = (byte: number) => (rest = table[(rest ^ byte) & 255]! ^ (rest >>> 8))
  for (let i = 0; i < part.length; i++) {
    const unit = part.charCodeAt(i)
    if (unit < 0x80) {
      add(unit)
      continue
    }
    let code = unit
    if ((unit & 0xf800) === 0xd800) {
      // Half a pair has no UTF-8; there stands what an encoder puts instead.
      const pair = part.codePointAt(i)!
      code = pair > 0xffff ? pair : 0xfffd
      if (pair > 0xffff) i++
    }
    if (code < 0x800) add(0xc0 | (code >> 6))
    else {
      if (code < 0x10000) add(0xe0 | (code >> 12))
      else {
        add(0xf0 | (code >> 18))
        add(0x80 | ((code >> 12) & 0x3f))
      }
      add(0x80 | ((code >> 6) & 0x3f))
    }
    add(0x80 | (code & 0x3f))
  }
  return ~rest >>> 0
}

/**
 * A number that differs for different texts, to notice that two copies of a revision have diverged: CRC-32 of the text
 * in UTF-8. It is no protection against anyone who wants a collision.
 */
export const contentHash = (content: string): number => (native ?? crc32)(content)

/** The hash of a text that comes in parts, none of which ends within a surrogate pair. */
export interface PartedHash {
  add(part: string): void
  readonly value: number
}

class Crc32Hash implements PartedHash {
  value = 0
  add(part: string): void {
    this.value = (native ?? crc32)(part, this.value)
  }
}

/** cyrb53 by bryc (public domain), 53 bits, over the UTF-16 code units: what revisions were given before. */
class EarlierHash implements PartedHash {
  // As they are in 32 bits: else each step would begin with a number that isn't.
  #high = 0xdeadbeef | 0
  #low = 0x41c6ce57

  add(part: string): void {
    let [high, low] = [this.#high, this.#low]
    for (let i = 0; i < part.length; i++) {
      const code = part.charCodeAt(i)
      high = Math.imul(high ^ code, 2654435761 | 0)
      low = Math.imul(low ^ code, 1597334677)
    }
    this.#high = high
    this.#low = low
  }

  get value(): number {
    let [high, low] = [this.#high, this.#low]
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
    return 4294967296 * (2097151 & low) + (high >>> 0)
  }
}

/** Whether it isn't as today’s: all but one in two million of the earlier ones tell so by their size. */
export const isEarlierHash = (hash: number): boolean => hash > 0xffff_ffff

/** What a hash has to be worked out with, to be compared with this one. */
export const hasherLike = (hash: number): PartedHash =>
  isEarlierHash(hash) ? new EarlierHash() : new Crc32Hash()

/** Whether a hash, of today or of before, is that of a text. */
export function isHashOf(hash: number | null, content: string): boolean {
  if (hash === null) return false
  const hasher = hasherLike(hash)
  hasher.add(content)
  if (hasher.value === hash || isEarlierHash(hash)) return hasher.value === hash
  const earlier = new EarlierHash()
  earlier.add(content)
  return earlier.value === hash
}
