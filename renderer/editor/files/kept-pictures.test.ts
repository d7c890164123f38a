import { expect, test } from 'vitest'
import { KeptPictures } from './kept-pictures.ts'

const picture = () => ({}) as HTMLImageElement

test('a picture that went is had again, in one place at a time, and what went first makes room', () => {
  const kept = new KeptPictures()
  const [one, same, large] = [picture(), picture(), picture()]
  kept.keep('boat', one, 10)
  kept.keep('boat', same, 10)
  expect([kept.take('boat'), kept.take('boat'), kept.take('boat')]).toEqual([one, same, null])
  expect(kept.take('quay')).toBeNull()
  kept.keep('boat', one, 10)
  kept.keep('quay', large, 150 * 1024 * 1024)
  expect(kept.take('boat')).toBeNull()
  expect(kept.take('quay')).toBe(large)
})
