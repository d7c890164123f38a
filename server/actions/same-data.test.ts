import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameData } from './same-data.ts'

const data = () => fc.anything({ withTypedArray: true, withDate: true, maxKeys: 3, withSparseArray: false })

test('says of any data what Node says', () => {
  const pair = fc.oneof(
    fc.tuple(data(), data()),
    data().map((one) => [one, structuredClone(one)] as const),
    fc.tuple(fc.constantFrom([undefined], { a: undefined }, {}, [], { b: undefined }), data()),
  )
  fc.assert(
    fc.property(
      pair,
      ([one, other]) => void expect(isSameData(one, other)).toBe(isDeepStrictEqual(one, other)),
    ),
    { numRuns: 500 },
  )
  expect(isSameData({ a: undefined }, { b: undefined })).toBe(false)
  expect(isSameData([1, { a: Buffer.from('b') }], [1, { a: Buffer.from('b') }])).toBe(true)
  expect(isSameData([1, { a: Buffer.from('b') }], [1, { a: Buffer.from('c') }])).toBe(false)
})
