import { expect, it } from 'vitest'
import { ChangeMap } from './change-map.ts'
import { FollowedPlace } from './followed-place.ts'
import type { Hunk } from './hunk.ts'

const change = (length: number, ...hunks: [fromA: number, toA: number, put: number][]) => {
  let shift = 0
  const all = hunks.map(([fromA, toA, put]): Hunk => {
    const fromB = fromA + shift
    shift += put - (toA - fromA)
    return { fromA, toA, fromB, toB: fromB + put }
  })
  return new ChangeMap(all, length)
}
const followed = (start: number, end: number, ...maps: ChangeMap[]) => {
  const place = new FollowedPlace({ start, end })
  for (const map of maps) place.follow(map)
  return place.place && [place.place.start, place.place.end]
}

it('is followed as long as nothing is changed within it; what is put in at its edges stays outside', () => {
  // Leaves out 2 to 4, puts three in at 6, replaces 8 to 9.
  const map = change(12, [2, 4, 0], [6, 6, 3], [8, 9, 1])
  expect([followed(0, 2, map), followed(4, 6, map), followed(6, 8, map), followed(9, 12, map)]).toEqual([
    [0, 2],
    [2, 4],
    [7, 9],
    [10, 13],
  ])
  expect(
    [
      [1, 3],
      [2, 4],
      [5, 7],
      [8, 9],
      [0, 12],
    ].map(([a, b]) => followed(a!, b!, map)),
  ).toEqual(Array(5).fill(null))
})

it('of nothing keeps to the side on which what stood beside it was', () => {
  expect(followed(3, 3, change(9, [3, 3, 2])), 'what is just written comes behind it').toEqual([3, 3])
  expect(followed(3, 3, change(9, [3, 5, 0]), change(7, [3, 3, 2]))).toEqual([3, 3])
  expect(followed(3, 3, change(9, [1, 3, 0]), change(7, [1, 1, 2]))).toEqual([3, 3])
})

it('isn’t there again where somebody has written as much there', () => {
  expect(followed(3, 5, change(9, [3, 5, 0]), change(7, [3, 3, 2]))).toBeNull()
})
