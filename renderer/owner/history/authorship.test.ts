import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hunksToJson, type ChangesJson } from '../../../server/domain/change-set.ts'
import { contentHash } from '../../../server/domain/content-hash.ts'
import { anyWords, edit } from '../../../server/domain/testing/arbitrary-text.ts'
import { textDiff } from '../../../server/domain/diff/index.ts'
import type { HistoryEntry } from '../../../server/contract/records/versions.ts'
import { changePieces, lengthOf, textOf, type AuthoredPiece } from './authorship.ts'
import { replacement, Timeline, type Moment } from './timeline.ts'

/** What one of three people does: some edits, or bringing the text of so many moments before back. */
interface Step {
  author: number
  edits: [at: number, length: number, insert: string][]
  back: number | null
  /** Whether the change is told as one place, though it may be several. */
  coarse: boolean
}
const step: fc.Arbitrary<Step> = fc.record({
  author: fc.nat(2),
  edits: fc.array(fc.tuple(fc.nat(400), fc.nat(8), fc.oneof(fc.constant(''), anyWords)), { maxLength: 3 }),
  back: fc.option(fc.nat(6), { freq: 4 }),
  coarse: fc.boolean(),
})
const steps = fc.array(step, { minLength: 1, maxLength: 90 })

interface Made {
  moments: Moment[]
  texts: string[]
  /** Who wrote each character of each text, told without pieces. */
  authors: number[][]
}

function play(steps: readonly Step[]): Made {
  const made: Made = { moments: [], texts: [], authors: [] }
  for (const [i, { author, edits, back, coarse }] of steps.entries()) {
    const before = made.texts.at(-1) ?? ''
    const source = back === null ? -1 : i - 1 - back
    const isBack = source >= 0
    const after = isBack
      ? made.texts[source]!
      : edits.reduce((text, [at, length, insert]) => edit(text, at, length, insert), before)
    const changes = coarse ? replacement(before, after) : hunksToJson(textDiff(before, after), before, after)
    const entry = {
      revision: i + 1,
      kind: isBack ? 'restore' : 'edit',
      size: after.length,
      hash: contentHash(after),
    } as HistoryEntry
    made.moments.push({ revision: i + 1, at: i, author, entry, changes })
    made.texts.push(after)
    // The newest of equal texts is the one that is restored.
    const same = made.texts.lastIndexOf(after, i - 1)
    const isKnown = isBack && same >= 0
    made.authors.push(
      isKnown ? made.authors[same]! : authorsAfter(made.authors.at(-1) ?? [], changes, author),
    )
  }
  return made
}

function authorsAfter(before: readonly number[], changes: ChangesJson, author: number): number[] {
  let at = 0
  return changes.flatMap((part) => {
    if (typeof part === 'number') return before.slice(at, (at += part))
    const [count, ...lines] = part
    at += count
    return Array.from({ length: lines.join('\n').length }, () => author)
  })
}

function timelineOf({ moments }: Made, keepAtMost?: number): Timeline {
  const timeline = new Timeline(keepAtMost)
  for (const moment of moments) timeline.append(moment)
  return timeline
}
const authorsOf = (pieces: readonly AuthoredPiece[]) =>
  pieces
    .filter(({ mark }) => mark !== 'removed')
    .flatMap(({ text, author }) => Array.from({ length: text.length }, () => author))
const before = (pieces: readonly AuthoredPiece[]) =>
  pieces
    .filter(({ mark }) => mark !== 'added')
    .map(({ text }) => text)
    .join('')

test('the pieces of any moment add up to its text, and each is whoever’s wrote it, in whatever order one looks', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat(), { maxLength: 30 }), fc.boolean(), (steps, looks, isTight) => {
      const made = play(steps)
      const timeline = timelineOf(made, isTight ? 20 : undefined)
      for (const look of [...looks, ...made.texts.keys()]) {
        const index = look % made.texts.length
        const pieces = timeline.piecesAt(index)
        expect(textOf(pieces)).toBe(made.texts[index])
        expect(authorsOf(pieces)).toEqual(made.authors[index])
        expect(pieces.every(({ text, mark }) => text !== '' && mark === null)).toBe(true)
      }
      expect(timeline.newestText).toBe(made.texts.at(-1))
    }),
  )
})

test('marked pieces are the text before with what was removed, and the text after with what was added', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), (steps, one, other) => {
      const made = play(steps)
      const timeline = timelineOf(made)
      const places = [one, other].map((place) => (place % (made.texts.length + 1)) - 1)
      const [from, to] = [Math.min(...places), Math.max(...places)]
      const pieces = timeline.marked(from, to)
      expect(textOf(pieces)).toBe(made.texts[to] ?? '')
      expect(before(pieces)).toBe(made.texts[from] ?? '')
      expect(authorsOf(pieces)).toEqual(made.authors[to] ?? [])
      expect(lengthOf(pieces)).toBe((made.texts[to] ?? '').length)
    }),
  )
})

test('a change is marked with whoever made it, and keeps whose words were removed', () => {
  const text: AuthoredPiece[] = [{ text: 'one two', author: 0, mark: null, by: 0 }]
  expect(changePieces(text, [4, [3, 'three'], [0, '', 'four']], 1, true)).toEqual([
    { text: 'one ', author: 0, mark: null, by: 0 },
    { text: 'two', author: 0, mark: 'removed', by: 1 },
    { text: 'three\nfour', author: 1, mark: 'added', by: 1 },
  ])
})

test('what is restored is its authors’ again, and marked as brought back by whoever restored it', () => {
  const made = play([
    { author: 0, edits: [[0, 0, 'Written by one. ']], back: null, coarse: false },
    { author: 1, edits: [[0, 16, 'Something else.']], back: null, coarse: false },
    { author: 2, edits: [], back: 1, coarse: true },
  ])
  const timeline = timelineOf(made)
  expect(timeline.piecesAt(2)).toEqual([{ text: 'Written by one. ', author: 0, mark: null, by: 0 }])
  expect(timeline.marked(1, 2).filter(({ mark }) => mark === 'added')).toMatchObject([{ author: 0, by: 2 }])
})

test('a change of another text is refused, and leaves what was there', () => {
  const made = play([{ author: 0, edits: [[0, 0, 'one']], back: null, coarse: false }])
  const timeline = timelineOf(made)
  const next = { ...made.moments[0]!, revision: 2 }
  for (const changes of [[4], [2], [[0, 'x']], [3, [0, 'x']]] as ChangesJson[])
    expect(() => timeline.append({ ...next, changes })).toThrow(RangeError)
  expect([timeline.length, timeline.newestText]).toEqual([1, 'one'])
})

test('a revision is found by its number, or the one before it', () => {
  const timeline = new Timeline()
  const entry = { kind: 'edit', size: 0, hash: null } as HistoryEntry
  for (const revision of [1, 2, 5]) timeline.append({ revision, at: revision, author: 0, entry, changes: [] })
  expect([0, 1, 2, 3, 4, 5, 9].map((revision) => timeline.indexOf(revision))).toEqual([-1, 0, 1, 1, 1, 2, 2])
})
