import { ChangeSet } from '@codemirror/state'
import { expect, it } from 'vitest'
import { partedAfter, partedBy } from './parted.ts'
import { rebase } from './rebase.ts'
import { textOf } from './shared-text.ts'

interface Splice {
  from: number
  to?: number
  insert?: string
}

function met(text: string, own: Splice[], theirs: Splice[]) {
  const [mine, changes] = [own, theirs].map((all) => ChangeSet.of(all, text.length)) as [ChangeSet, ChangeSet]
  const { ours, over } = rebase([{ changes: mine, goesOn: false }], changes)
  return {
    found: partedBy(changes, { before: textOf(text), own: mine, ours, over }),
    now: over.apply(mine.apply(textOf(text))).toString(),
  }
}

it('says what was taken out here before and behind what has come amid it', () => {
  const { found, now } = met('abcdef', [{ from: 1, to: 5 }], [{ from: 3, insert: 'XY' }])
  expect(now).toBe('aXYf')
  expect(found).toEqual([
    { at: { start: 1, end: 3 }, within: { start: 1, end: 3 }, before: 'bc', behind: 'de' },
  ])
})

it('says where that stands beside what was put in here', () => {
  const { found, now } = met('abcdef', [{ from: 1, to: 5, insert: '..' }], [{ from: 2, to: 3, insert: 'X' }])
  const [{ at, within, before, behind }] = found as [(typeof found)[0]]
  expect(now.slice(at.start, at.end)).toBe('X')
  expect(now.slice(within.start, within.end).replace('X', '')).toBe('..')
  expect([before, behind]).toEqual(['bc', 'de'])
})

it('says it of what comes at its ends, and of nothing else', () => {
  const { found } = met(
    'abcdef',
    [{ from: 1, to: 3 }],
    [
      { from: 1, insert: 'X' },
      { from: 3, insert: 'Y' },
      { from: 5, insert: 'Z' },
    ],
  )
  expect(found.map(({ before, behind }) => [before, behind])).toEqual([
    ['', 'bc'],
    ['bc', ''],
  ])
  expect(met('abcdef', [{ from: 1, insert: 'X' }], [{ from: 1, insert: 'Y' }]).found).toEqual([])
  expect(met('abcdef', [{ from: 1, to: 3 }], [{ from: 2, to: 4 }]).found).toEqual([])
})

it('follows where it stands', () => {
  const { found } = met('abcdef', [{ from: 1, to: 5 }], [{ from: 3, insert: 'XY' }])
  const [{ at, within }] = partedAfter(found, ChangeSet.of({ from: 0, insert: '--' }, 4)) as [
    (typeof found)[0],
  ]
  expect([at, within]).toEqual([
    { start: 3, end: 5 },
    { start: 3, end: 5 },
  ])
})
