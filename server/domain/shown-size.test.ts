import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { shownSize } from './shown-size.ts'

test('a size is said in few digits', () => {
  const sizes = [0, 1500, 1024 ** 2 - 1, 1024 ** 2 * 1.26, limits.guestFileBytes]
  expect(sizes.map(shownSize)).toEqual(['1 KB', '1 KB', '1 MB', '1.3 MB', '10 MB'])
})
