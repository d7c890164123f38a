import { expect, test } from 'vitest'
import { byteRangeOf } from './byte-range.ts'

test.each<[string | undefined, [number, number] | null]>([
  ['bytes=0-', [0, 99]],
  ['bytes=10-19', [10, 19]],
  ['bytes=90-500', [90, 99]],
  ['bytes=-10', [90, 99]],
  ['bytes=-500', [0, 99]],
  // All of it.
  [undefined, null],
  ['bytes=100-', null],
  ['bytes=-0', null],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['lines=0-1', null],
])('%s of 100 bytes', (header, range) => {
  expect(byteRangeOf(header, 100)).toEqual(range && { start: range[0], end: range[1] })
})
