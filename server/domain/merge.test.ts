import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, editedText } from './testing/arbitrary-text.ts'
import { joinTouching, type Hunk } from './hunk.ts'
import { mergeChanges, mergeTexts } from './merge.ts'
import { textDiff } from './diff/index.ts'
import { madeByHunks } from './testing/made-by-hunks.ts'

/** A mark alone is none: it is a part of the word before which it was put. */
const words = (text: string) =>
  text.match(
    /\p{sc=Han}|\p{sc=Hira}|[[\p{L}\p{N}’]--[\p{sc=Han}\p{sc=Hira}]][[\p{L}\p{N}\p{M}’]--[\p{sc=Han}\p{sc=Hira}]]*/gv,
  ) ?? []
const sorted = (text: string) => words(text).sort()

/** A base and two texts made from it. */
const forked = fc.tuple(editedText, editedText, anyText).map(([one, two, between]) => ({
  base: one.before + between + two.before,
  mine: one.after + between + two.before,
  theirs: one.before + between + two.after,
}))
const collided = editedText.chain(({ before, after }) =>
  fc.record({ base: fc.constant(before), mine: fc.constant(after), theirs: anyText }),
)

/** Different words of the same few letters; what is put in may also be of several that belong together. */
const letters = fc.array(fc.constantFrom('a', 'n', 'te'), { minLength: 1, maxLength: 5 })
const baseWords = fc.uniqueArray(
  letters.map((all) => `b${all.join('')}`),
  { maxLength: 10 },
)
const newWords = fc.uniqueArray(
  fc.oneof(
    letters.map((all) => `c${all.join('')}`),
    fc
      .array(fc.constantFrom('0', '1', '·', '2'), { minLength: 1, maxLength: 4 })
      .map((all) => `⟨${all.join('')}⟩`),
  ),
  { maxLength: 12 },
)
const someOf = (words: readonly string[]) =>
  fc.shuffledSubarray([...words], { maxLength: Math.min(3, words.length) })
/** Takes words out at some places and puts others in, each of them once. */
const someEdits = (words: readonly string[]) =>
  fc.array(fc.record({ at: fc.nat(12), removed: fc.nat(3), put: someOf(words) }), { maxLength: 3 })
type Edits = readonly { at: number; removed: number; put: readonly string[] }[]
function withEdits(base: readonly string[], edits: Edits): string[] {
  const words: string[] = []
  let kept = 0
  for (const { at, removed, put } of edits.toSorted((a, b) => a.at - b.at)) {
    if (at < kept) continue
    words.push(...base.slice(kept, at), ...put.filter((word) => !words.includes(word)))
    kept = Math.max(kept, Math.min(base.length, at + removed))
  }
  return [...words, ...base.slice(kept)]
}
/** Of a base two sides that have put in words of their own, and some that both have. */
const sceneOfDistinctWords = fc.tuple(baseWords, newWords).chain(([base, rest]) => {
  const mine = rest.filter((_, i) => i % 3 !== 0)
  const theirs = rest.filter((_, i) => i % 3 !== 1)
  return fc.record({
    base: fc.constant(base),
    mine: someEdits(mine).map((edits) => withEdits(base, edits)),
    theirs: someEdits(theirs).map((edits) => withEdits(base, edits)),
    between: fc.constantFrom(' ', '\n', '. ', '\n\n'),
  })
})

function inserted(base: string, side: string): string[] {
  return textDiff(base, side).flatMap(({ fromB, toB }) => words(side.slice(fromB, toB)))
}

/** Whether a difference only takes something out; white space that stands there then was left, and written by nobody. */
function leaves(base: string, side: string, { fromA, toA, fromB, toB }: Hunk): boolean {
  const left = side.slice(fromB, toB)
  let at = fromA
  for (const sign of left) at = base.indexOf(sign, at) + 1 || Infinity
  return left.trim() === '' && at <= toA
}

describe('two texts made from one', () => {
  it('merge when their changes don’t meet', () => {
    const base = 'The first paragraph.\n\nThe second one.\n\nThe third.\n'
    const mine = base.replace('first', 'opening')
    const theirs = base.replace('third', 'last') + 'A fourth.\n'
    expect(mergeTexts(base, mine, theirs)).toMatchObject({
      text: 'The opening paragraph.\n\nThe second one.\n\nThe last.\nA fourth.\n',
      conflicts: [],
    })
  })

  it('merge within a sentence, word by word', () => {
    expect(mergeTexts('the cat sat here', 'the big cat sat here', 'the cat sat there')).toMatchObject({
      text: 'the big cat sat there',
      conflicts: [],
    })
    expect(mergeTexts('the cat sat', 'the big cat sat', 'the dog sat').text).toBe('the big dog sat')
  })

  it('take the same change once', () => {
    expect(mergeTexts('a cat', 'a dog', 'a dog')).toMatchObject({ text: 'a dog', conflicts: [] })
    expect(mergeTexts('a', 'a b', 'a b')).toMatchObject({ text: 'a b', conflicts: [] })
  })

  it('keep words apart that one put before a space which the other took away', () => {
    expect(mergeTexts(' a cat', 'a cat', 'the a cat').text).toBe('the a cat')
    expect(mergeTexts(' a cat', 'the a cat', 'a cat').text).toBe('the a cat')
  })

  it('keep both texts where they changed the same words, and say where', () => {
    const { text, conflicts } = mergeTexts('a cat sat', 'a dog sat', 'a wolf sat')
    expect(text).toBe('a dog wolf sat')
    expect(conflicts).toEqual([
      { base: { start: 2, end: 5 }, mine: 'dog', theirs: 'wolf', at: { start: 2, end: 10 } },
    ])
  })

  it('keep both texts that were added at one place', () => {
    const { text, conflicts } = mergeTexts('One.\n', 'One.\nMine.\n', 'One.\nTheirs.\n')
    expect(text).toBe('One.\nMine.\nTheirs.\n')
    expect(conflicts).toHaveLength(1)
  })

  it('have nothing of what either side only took out, which collides with nothing', () => {
    const merged = mergeTexts('one two, three four', 'one, three four', 'one two four')
    expect(merged).toMatchObject({ text: 'one four', conflicts: [] })
    const passage = mergeTexts('Keep. Drop all of this. Keep.', 'Keep. Drop of this. Keep.', 'Keep. Keep.')
    expect(passage).toMatchObject({ text: 'Keep. Keep.', conflicts: [] })
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.boolean()), (mine, theirs) => {
        const all = ['one', 'two', 'three', 'four', 'five', 'six']
        const left = [mine, theirs].map((some) => new Set(all.filter(() => some.next().value)))
        const [one, other] = left.map((some) => all.filter((word) => some.has(word)).join(' '))
        const { text, conflicts } = mergeTexts(all.join(' '), one!, other!)
        expect(words(text)).toEqual(all.filter((word) => left.every((some) => some.has(word))))
        expect(conflicts).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('keep words apart by a space within a line, however many lines stand before', () => {
    // What another put back took the space away that was typed and sent before the word.
    const [base, mine, theirs] = [
      '# Head\n\nto read  here\n',
      '# Head\n\nto read AWAY here\n',
      '# Head\n\nto read here\n',
    ]
    const at = base.indexOf(' here')
    const byMine = [{ fromA: at, toA: at, fromB: at, toB: at + 4 }]
    const byTheirs = [{ fromA: at, toA: at + 1, fromB: at, toB: at }]
    const merged = mergeChanges(base, [mine, byMine], [theirs, byTheirs])
    expect(merged).toMatchObject({ text: mine, conflicts: [], gaps: [{ start: at + 4, end: at + 5 }] })
  })

  it('keep what one side edited in a passage that the other deleted', () => {
    const base = 'Keep this. Drop all of these words. Keep that.'
    const mine = 'Keep this. Keep that.'
    const theirs = 'Keep this. Drop all of those words. Keep that.'
    const { text, conflicts } = mergeTexts(base, mine, theirs)
    expect(text).toContain('those')
    expect(conflicts).toHaveLength(1)
  })

  it('are the other text when one side changed nothing', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        expect(mergeTexts(before, after, before)).toMatchObject({ text: after, conflicts: [] })
        expect(mergeTexts(before, before, after)).toMatchObject({ text: after, conflicts: [] })
        expect(mergeTexts(before, after, after)).toMatchObject({ text: after, conflicts: [] })
      }),
    )
  })

  it('never lose a word that either side wrote', () => {
    fc.assert(
      fc.property(fc.oneof(forked, collided), ({ base, mine, theirs }) => {
        const merged = words(mergeTexts(base, mine, theirs).text)
        for (const side of [mine, theirs]) {
          const left = [...merged]
          for (const word of inserted(base, side)) {
            const at = left.indexOf(word)
            expect(at, `${word} in ${JSON.stringify(merged)}`).toBeGreaterThanOrEqual(0)
            left.splice(at, 1)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('have every word of either side, and once what only one has put in', () => {
    fc.assert(
      fc.property(sceneOfDistinctWords, ({ base, mine, theirs, between }) => {
        const { text } = mergeTexts(base.join(between), mine.join(between), theirs.join(between))
        const all = text.match(/⟨[^⟩]*⟩|\p{L}+/gu) ?? []
        const found = (word: string) => all.filter((one) => one === word).length
        for (const word of new Set([...mine, ...theirs])) {
          const isByOne = !base.includes(word) && mine.includes(word) !== theirs.includes(word)
          const isWanted = !base.includes(word) || (mine.includes(word) && theirs.includes(word))
          if (isWanted) expect(found(word), `${word} in ${text}`).toBeGreaterThanOrEqual(1)
          if (isByOne) expect(found(word), `${word} in ${text}`).toBe(1)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('keep words apart where the one side took away what the other has after them', () => {
    const [base, mine, theirs] = [', # ` thecat  Ångström', ' the ', ', # `thecat  Ångst']
    expect(mergeTexts(base, mine, theirs).text).toBe(' the thecat  Ångst')
    expect(mergeTexts(base, theirs, mine).text).toBe(' the thecat  Ångst')
  })

  it('keep words well apart that one put in beside what the other took out', () => {
    const base = ['one', 'two', 'three', 'four', 'five', 'six']
    const gaps = fc.array(fc.constantFrom(' ', ' ', '\n', '\n\n', '. '), { minLength: 6, maxLength: 6 })
    const put = fc.record({ at: fc.nat(5), space: fc.constantFrom('before', 'behind', 'line') })
    const cut = fc.record({ from: fc.nat(5), count: fc.integer({ min: 1, max: 4 }), space: fc.nat(2) })
    fc.assert(
      fc.property(
        gaps,
        fc.array(put, { minLength: 1, maxLength: 2 }),
        cut,
        (gaps, all, { from, count, space }) => {
          const text = base.map((word, i) => word + gaps[i]!).join('')
          const puts = all
            .map(({ at, space }, i) => {
              const start = text.indexOf(base[at]!)
              const end = start + base[at]!.length
              const word = `z${i}`
              if (space === 'before') return { at: end, words: ` ${word}` }
              return { at: start, words: space === 'line' ? `${word}\n` : `${word} ` }
            })
            .sort((a, b) => a.at - b.at)
          let mine = ''
          const byMine: Hunk[] = []
          for (const [i, { at, words }] of puts.entries()) {
            mine += text.slice(puts[i - 1]?.at ?? 0, at)
            byMine.push({ fromA: at, toA: at, fromB: mine.length, toB: mine.length + words.length })
            mine += words
          }
          mine += text.slice(puts.at(-1)!.at)
          const last = base[Math.min(5, from + count - 1)]!
          const [first, end] = [text.indexOf(base[from]!), text.indexOf(last) + last.length]
          const start = space === 1 && from > 0 ? first - gaps[from - 1]!.length : first
          const stop = space === 2 ? end + gaps[base.indexOf(last)]!.length : end
          const theirs = text.slice(0, start) + text.slice(stop)
          const taken = { fromA: start, toA: stop, fromB: start, toB: start }
          const merged = mergeChanges(text, [mine, joinTouching(byMine)], [theirs, [taken]])
          expect(madeByHunks(mine, merged.text, merged.changes)).toBe(merged.text)
          expect(madeByHunks(theirs, merged.text, merged.changesOfTheirs)).toBe(merged.text)
          const wanted = [...(theirs.match(/\w+/g) ?? []), ...all.map((_, i) => `z${i}`)]
          expect(merged.text.match(/\w+/g)!.toSorted()).toEqual(wanted.toSorted())
          // White space that another left on both sides of what they took out is theirs.
          if (space > 0 && from > 0) expect(merged.text).not.toMatch(/\w {2,}\w/)
        },
      ),
      { numRuns: +(process.env.RUNS ?? 1000) },
    )
  })

  it('have the same words merged either way round', () => {
    fc.assert(
      fc.property(fc.oneof(forked, collided), ({ base, mine, theirs }) => {
        const one = mergeTexts(base, mine, theirs)
        const other = mergeTexts(base, theirs, mine)
        expect(sorted(one.text)).toEqual(sorted(other.text))
        expect(one.conflicts.map(({ base }) => base)).toEqual(other.conflicts.map(({ base }) => base))
      }),
      { numRuns: 500 },
    )
  })

  it('show both texts of each conflict where it says', () => {
    fc.assert(
      fc.property(collided, ({ base, mine, theirs }) => {
        const { text, conflicts } = mergeTexts(base, mine, theirs)
        for (const conflict of conflicts) {
          const shown = text.slice(conflict.at.start, conflict.at.end)
          expect(shown.startsWith(conflict.mine)).toBe(true)
          expect(shown.endsWith(conflict.theirs)).toBe(true)
        }
      }),
    )
  })

  it('tell what either side did as changes of the other, which touch nothing that was written there', () => {
    fc.assert(
      fc.property(fc.oneof(forked, collided), ({ base, mine, theirs }) => {
        const { text, changes, changesOfTheirs } = mergeTexts(base, mine, theirs)
        for (const [side, hunks] of [
          [mine, changes],
          [theirs, changesOfTheirs],
        ] as const) {
          expect(madeByHunks(side, text, hunks)).toBe(text)
          for (const written of textDiff(base, side).filter((hunk) => !leaves(base, side, hunk))) {
            for (const { fromA, toA } of hunks) {
              expect(Math.min(toA, written.toB) - Math.max(fromA, written.fromB)).toBeLessThanOrEqual(0)
            }
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

it('keeps words whose letters alone are all in what the other side has put there', () => {
  const merged = mergeTexts('end', '⟨2·1⟩end', '⟨0·2⟩⟨1·7⟩⟨1·0⟩end')
  expect(merged.text).toContain('⟨2·1⟩')
  expect(merged.text).toContain('⟨0·2⟩⟨1·7⟩⟨1·0⟩')
  expect(merged.conflicts).toHaveLength(1)
})
