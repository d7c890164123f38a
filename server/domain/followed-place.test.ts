import { expect, it } from 'vitest'
import { ChangeMap } from './change-map.ts'
import { Decisions } from './decisions.ts'
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
  const decisions = new Decisions(maps.keys(), [], [])
  for (const [revision, map] of maps.entries()) place.follow(map, { revision, decisions })
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

it('is there again once what covered it is taken back', () => {
  expect(followed(3, 5, change(9, [2, 6, 1]), change(6, [2, 3, 4]))).toEqual([3, 5])
  expect(followed(3, 5, change(9, [2, 6, 1]), change(6, [0, 0, 2]), change(8, [4, 5, 4]))).toEqual([5, 7])
  expect(followed(3, 5, change(9, [3, 4, 3]), change(11, [3, 6, 1]))).toEqual([3, 5])
  expect(
    followed(3, 5, change(9, [2, 6, 1]), change(6, [2, 3, 2]), change(7, [2, 4, 1]), change(6, [2, 3, 4])),
  ).toEqual([3, 5])
  expect(followed(3, 3, change(9, [2, 6, 0]), change(5, [2, 2, 4])), 'of nothing, too').toEqual([3, 3])
  expect(followed(3, 5, change(9, [2, 6, 1]), change(6, [2, 3, 5]))).toBeNull()
})

it('is there again where a part of it went along with what stood beside it, and what comes at its edge stays outside', () => {
  const gone = change(12, [2, 6, 0])
  expect(followed(4, 9, gone, change(8, [2, 2, 4]))).toEqual([4, 9])
  expect(followed(0, 4, gone, change(8, [2, 2, 4]))).toEqual([0, 4])
  expect(followed(4, 9, gone, change(8, [2, 2, 3])), 'of another size').toBeNull()
  expect(followed(4, 9, gone, change(8, [5, 5, 4])), 'behind it').toBeNull()
  expect(followed(4, 9, change(12, [4, 4, 2], [5, 6, 0]), change(13, [7, 7, 1]))).toEqual([6, 11])
})

it('of nothing keeps to the side on which what stood beside it was', () => {
  expect(followed(3, 3, change(9, [3, 3, 2])), 'what is just written comes behind it').toEqual([3, 3])
  expect(followed(3, 3, change(9, [3, 5, 0]), change(7, [3, 3, 2]))).toEqual([3, 3])
  expect(followed(3, 3, change(9, [1, 3, 0]), change(7, [1, 1, 2]))).toEqual([3, 3])
  // What stood before it and what stood behind it come back in turn.
  expect(
    followed(3, 3, change(9, [1, 3, 0]), change(7, [1, 5, 0]), change(3, [1, 1, 4]), change(7, [1, 1, 2])),
  ).toEqual([3, 3])
})

it('isn’t there again where somebody has written as much there', () => {
  const place = new FollowedPlace({ start: 3, end: 5 })
  place.follow(change(9, [3, 5, 0]))
  place.follow(change(7, [3, 3, 2]))
  expect(place.place).toBeNull()
})
