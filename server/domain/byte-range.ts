export interface ByteRange {
  /** The first and the last byte of it. */
  start: number
  end: number
}

/**
 * What one `Range` header asks of `size` bytes (RFC 9110, 14.1.2); null for all of it, which is also the answer, as that
 * allows, to several ranges, other units, what isn't well written, and what begins behind the end.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : null
}
