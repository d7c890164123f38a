import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Range } from '../contract/records/anchors.ts'
import { anyText, changesFor, editedText } from './testing/arbitrary-text.ts'
import { ChangeMap } from './change-map.ts'
import { applyChanges } from './change-set.ts'
import { textDiff } from './diff/index.ts'

/** A change made of two, whose parts may touch. */
const anyChange = anyText.chain((text) =>
  changesFor(text).chain((first) =>
    changesFor(applyChanges(text, first)).map((second) => first.compose(second)),
  ),
)

describe('a map of a change', () => {
  it('says of each place and both its sides what CodeMirror says', () => {
    fc.assert(
      fc.property(anyChange, (changes) => {
        const map = ChangeMap.of(changes)
        for (let at = 0; at <= changes.length; at++) {
          expect([at, map.place(at, 1)]).toEqual([at, changes.mapPos(at, 1)])
          expect([at, map.place(at, -1)]).toEqual([at, changes.mapPos(at, -1)])
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps of each range what CodeMirror leaves unchanged', () => {
    fc.assert(
      fc.property(anyChange, fc.nat(), fc.nat(), (changes, a, b) => {
        const [start, end] = [a % (changes.length + 1), b % (changes.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ]
        const pieces: Range[] = []
        changes.iterGaps((fromA, fromB, length) => {
          const from = Math.max(start, fromA)
          const to = Math.min(end, fromA + length)
          if (from < to) pieces.push({ start: from - fromA + fromB, end: to - fromA + fromB })
        })
        expect(ChangeMap.of(changes).kept({ start, end })).toEqual(pieces)
      }),
      { numRuns: 1000 },
    )
  })

  it('is the same made from two texts as from the change set between them', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        const hunks = textDiff(before, after)
        const changes = ChangeSet.of(
          hunks.map(({ fromA, toA, fromB, toB }) => ({
            from: fromA,
            to: toA,
            insert: Text.of(after.slice(fromB, toB).split('\n')),
          })),
          before.length,
        )
        const map = new ChangeMap(hunks, before.length)
        expect(map.inserted).toEqual(ChangeMap.of(changes).inserted)
        expect(map.size).toEqual(ChangeMap.of(changes).size)
        expect(after.length - before.length).toBe(map.size.inserted - map.size.removed)
        expect(map.empty).toBe(before === after)
      }),
    )
  })

  it('guesses where in a rewritten stretch something would be by how far into it that was', () => {
    const map = new ChangeMap([{ fromA: 100, toA: 200, fromB: 100, toB: 1100 }], 300)
    expect([50, 100, 150, 199, 200, 250].map((at) => map.near(at))).toEqual([50, 100, 600, 1090, 1100, 1150])
  })

  it('keeps a range whole where nothing changed within it, and one of nothing where nothing was put in', () => {
    // Leaves out 2 to 4, puts three in at 6, replaces 8 to 9.
    const map = new ChangeMap(
      [
        { fromA: 2, toA: 4, fromB: 2, toB: 2 },
        { fromA: 6, toA: 6, fromB: 4, toB: 7 },
        { fromA: 8, toA: 9, fromB: 9, toB: 10 },
      ],
      12,
    )
    const kept = (start: number, end: number) => {
      const range = map.keptWhole({ start, end })
      return range && [range.start, range.end]
    }
    expect([kept(0, 2), kept(4, 6), kept(6, 8), kept(9, 12)]).toEqual([
      [0, 2],
      [2, 4],
      [7, 9],
      [10, 13],
    ])
    expect([kept(1, 3), kept(2, 4), kept(5, 7), kept(8, 9), kept(0, 12)]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect([kept(0, 0), kept(2, 2), kept(4, 4), kept(9, 9)]).toEqual([
      [0, 0],
      [2, 2],
      [2, 2],
      [10, 10],
    ])
    expect([kept(3, 3), kept(6, 6)]).toEqual([null, null])
  })
})
