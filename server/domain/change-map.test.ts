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
})
