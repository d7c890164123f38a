import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Range } from '../contract/records/anchors.ts'
import { acceptSuggestions } from './accept-suggestions.ts'
import { anchorAt } from './anchors/anchor.ts'
import { applyChanges, changesFromJson, changesToJson, type ChangesJson } from './change-set.ts'
import type { Acceptance, Past } from './acceptance.ts'
import { plainEditByDecision, type AnchoredRecord } from './document-change.ts'
import { reopenSuggestions } from './reopen-suggestions.ts'
import type { Reopenable } from './reopenable.ts'
import { placeSuggestion } from './suggestion.ts'
import { anyText, anyWords, changesFor } from './testing/arbitrary-text.ts'

const suggestOn = (content: string, start: number, end: number, suggested_text: string, id = 's') => ({
  id,
  original_text: content.slice(start, end),
  suggested_text,
  anchor: anchorAt(content, start, end),
  range: { start, end },
})
type Suggested = ReturnType<typeof suggestOn>

/** Accepts them at revision 2. */
function accepted(
  content: string,
  suggestions: readonly Suggested[],
  anchors: readonly AnchoredRecord[] = [],
) {
  const { edit, places, applied } = acceptSuggestions({ content, suggestions, anchors, revision: 2 })
  expect(applied).toEqual(suggestions.map(() => true))
  const decided = suggestions.map((one): Reopenable => ({ ...one, status: 'accepted', revision: 2 }))
  const past: Past = {
    before: content,
    revision: 1,
    log: edit ? [{ revision: 2, changes: JSON.parse(edit.log) as ChangesJson }] : [],
    acceptances: suggestions.map(({ id, range }, i) => ({
      ...{ id, revision: 2, undoneBy: null, together: suggestions.length, range, applied: places[i]! },
    })),
    noted: anchors,
    rejected: [],
    order: [],
  }
  return { content: edit!.content, decided, past, edit: edit! }
}

/** The same with changes since. */
const since = (past: Past, ...changes: ChangeSet[]): Past => ({
  ...past,
  log: [...past.log, ...changes.map((one, i) => ({ revision: 3 + i, changes: changesToJson(one) }))],
})

const pastOf = (before: string, rejected: Past['rejected'] = []): Past => ({
  ...{ before, revision: 1, log: [], acceptances: [], noted: [], rejected, order: [] },
})

const edit = (content: string, from: number, to: number, insert: string) => {
  const changes = ChangeSet.of({ from, to, insert }, content.length)
  return { content: applyChanges(content, changes), changes }
}

describe('of an accepted suggestion', () => {
  const text = 'One two three four.'

  it('takes its words back where they were put in', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 4, 7, '2')])
    const { outcomes, edit } = reopenSuggestions({ content, suggestions: decided, past, anchors: [] })
    expect(outcomes).toEqual([{ range: { start: 4, end: 7 } }])
    expect(edit?.content).toBe(text)
  })

  it('leaves what was written around them since', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 4, 7, '2')])
    const written = edit(content, 0, 3, 'Now there are')
    const { outcomes, edit: back } = reopenSuggestions({
      content: written.content,
      suggestions: decided,
      past: since(past, written.changes),
      anchors: [],
    })
    expect(back?.content).toBe('Now there are two three four.')
    expect(outcomes).toEqual([{ range: { start: 14, end: 17 } }])
  })

  it('comes behind what was written before them, also before what it has left of its words', () => {
    const { content, decided, past } = accepted('$1\n\nx1mat', [suggestOn('$1\n\nx1mat', 1, 9, '\n')])
    expect(content).toBe('$\n')
    const written = edit(content, 1, 1, '. ')
    const { edit: back } = reopenSuggestions({
      content: written.content,
      suggestions: decided,
      past: since(past, written.changes),
      anchors: [],
    })
    expect(back?.content).toBe('$. 1\n\nx1mat')
  })

  it('comes behind what was written before them as they were taken out and put back', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 4, 7, 'second')])
    const written = edit(content, 2, 10, 'ly. second')
    const { edit: back } = reopenSuggestions({
      content: written.content,
      suggestions: decided,
      past: since(past, written.changes),
      anchors: [],
    })
    expect(back?.content).toBe('Only. two three four.')
  })

  it('can be where others took as much out behind them as reads like them', () => {
    const text = 'naïvecatsat x1naïvenaïve'
    const { content, decided, past } = accepted(text, [
      suggestOn(text, 3, 11, ' '),
      suggestOn(text, 18, 19, '   sat', 'other'),
    ])
    expect(content).toBe('naï  x1naïv   satnaïve')
    const written = edit(content, 5, 13, '')
    const { outcomes } = reopenSuggestions({
      content: written.content,
      suggestions: decided,
      past: since(past, written.changes),
      anchors: [],
    })
    expect(outcomes).toEqual([{ range: { start: 3, end: 11 } }, null])
  })

  it('can’t be where they were changed since, and then leaves the text', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 4, 7, 'second')])
    const written = edit(content, 6, 7, 'k')
    const { outcomes, edit: back } = reopenSuggestions({
      content: written.content,
      suggestions: decided,
      past: since(past, written.changes),
      anchors: [],
    })
    expect([outcomes, back]).toEqual([[null], null])
  })

  it('can’t be where what it did isn’t known any more', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 4, 7, '2')])
    const old = decided.map((one) => ({ ...one, revision: null }))
    expect(reopenSuggestions({ content, suggestions: old, past, anchors: [] })).toEqual({
      outcomes: [null],
      edit: null,
    })
  })

  it('puts back what was left out, before what it stood before', () => {
    const { content, decided, past } = accepted(text, [
      suggestOn(text, 0, 4, '', 'a'),
      suggestOn(text, 4, 8, '', 'b'),
      suggestOn(text, 8, 13, '3', 'c'),
    ])
    expect(content).toBe('3 four.')
    const { outcomes, edit: back } = reopenSuggestions({
      content,
      suggestions: decided.toReversed(),
      past,
      anchors: [],
    })
    expect(back?.content).toBe(text)
    expect(outcomes).toEqual([
      { range: { start: 8, end: 13 } },
      { range: { start: 4, end: 8 } },
      { range: { start: 0, end: 4 } },
    ])
  })

  it('puts back what was left out where somebody has written just there, before that', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 3, 7, '')])
    const written = edit(content, 3, 3, ' and')
    const { edit: back } = reopenSuggestions({
      content: written.content,
      suggestions: decided,
      past: since(past, written.changes),
      anchors: [],
    })
    expect(back?.content).toBe('One two and three four.')
  })

  it('maps the places of what else stands in the text', () => {
    const { content, decided, past } = accepted(text, [suggestOn(text, 4, 7, '2')])
    const four = content.indexOf('four')
    const comment = {
      id: 'c',
      kind: 'comment' as const,
      anchor: anchorAt(content, four, four + 4),
      range: { start: four, end: four + 4 },
    }
    const { edit } = reopenSuggestions({
      content,
      suggestions: decided,
      past,
      anchors: [comment],
    })
    expect(edit?.moved).toEqual([{ id: 'c', kind: 'comment', range: { start: 14, end: 18 } }])
  })
})

it('of a rejected one that puts something in is where it was, whatever is taken back with it', () => {
  const text = 'One two three four.'
  const putIn = suggestOn(text, 7, 7, ' and a half')
  const rejected: Reopenable = { ...putIn, status: 'rejected', revision: 2 }
  const only = pastOf(text, [{ ...rejected, revision: 2, range: putIn.range }])
  const alone = reopenSuggestions({ content: text, suggestions: [rejected], past: only, anchors: [] })
  expect(alone).toEqual({ outcomes: [{ range: { start: 7, end: 7 } }], edit: null })
  const { content, decided, past } = accepted(text, [suggestOn(text, 0, 3, 'Number one', 'other')])
  const before = { ...rejected, range: { start: 14, end: 14 } }
  const { outcomes, edit: back } = reopenSuggestions({
    content,
    suggestions: [before, ...decided],
    past: { ...past, rejected: [{ id: 's', revision: 2, range: before.range }] },
    anchors: [],
  })
  expect(back?.content).toBe(text)
  expect(outcomes).toEqual([{ range: { start: 7, end: 7 } }, { range: { start: 0, end: 3 } }])
})

it('of a rejected suggestion leaves the text, and says where its words stand now', () => {
  const text = 'One two three.'
  const one = suggestOn(text, 4, 7, '2')
  const rejected: Reopenable = { ...one, status: 'rejected', revision: 2 }
  const past = pastOf(text, [{ ...one, revision: 2 }])
  const reopened = ({ content, changes }: ReturnType<typeof edit>, suggestion = rejected) =>
    reopenSuggestions({ content, suggestions: [suggestion], past: since(past, changes), anchors: [] })
  const more = edit(text, 0, 0, 'Say: ')
  expect(reopened(more)).toMatchObject({ outcomes: [{ range: { start: 9, end: 12 } }], edit: null })
  expect(reopened(edit(text, 4, 8, '')).outcomes).toMatchObject([{ range: null }])
  // Nothing is known of when it was decided: then its words are looked for.
  const old = {
    content: more.content,
    suggestions: [{ ...rejected, revision: null }],
    past: null,
    anchors: [],
  }
  expect(reopenSuggestions(old).outcomes).toMatchObject([{ range: { start: 9, end: 12 } }])
})

it('of a rejected one is on its words where another’s were accepted at their edge before', () => {
  const text = 'One.\n\nTwo.\n\nThree.\n'
  const gone = suggestOn(text, 6, 12, '')
  const put = suggestOn(text, 10, 10, '\n\nNew.', 'new')
  const made = accepted(text, [put], [{ ...gone, kind: 'suggestion' }])
  const { content, edit } = made
  const { range, takenOut = [] } = edit.moved[0]!
  const rejected: Reopenable = { ...gone, range, takenOut, status: 'rejected', revision: 2 }
  const past = { ...made.past, noted: [rejected] }
  const { outcomes } = reopenSuggestions({ content, suggestions: [rejected], past, anchors: [] })
  expect(placeSuggestion(content, { ...gone, range: outcomes[0]!.range })).toEqual({ start: 6, end: 12 })
  // With the other's words taken back, it is there as well.
  const both = reopenSuggestions({ content, suggestions: [rejected, ...made.decided], past, anchors: [] })
  expect([both.edit?.content, both.outcomes[0]]).toMatchObject([text, { range: { start: 6, end: 12 } }])
})

describe('of several', () => {
  /** Accepts and reopens by turns, as an owner does, and answers the text. */
  class Owner {
    revision = 1
    content: string
    readonly decided = new Map<string, Reopenable>()
    readonly #before: string
    readonly #log: { revision: number; changes: ChangesJson }[] = []
    readonly #acceptances: Acceptance[] = []

    constructor(content: string) {
      this.content = content
      this.#before = content
    }

    #write(log: string) {
      const changes = JSON.parse(log) as ChangesJson
      this.content = applyChanges(this.content, changesFromJson(changes))
      this.#log.push({ revision: ++this.revision, changes })
    }

    accept(...suggested: (readonly [words: string, becomes: string])[]) {
      const { content } = this
      const suggestions = suggested.map(([words, becomes]) => ({
        ...{ id: words, original_text: words, suggested_text: becomes, anchor: null, range: null },
      }))
      const { edit, places, applied } = acceptSuggestions({ content, suggestions, anchors: [] })
      expect(applied).not.toContain(false)
      this.#write(edit!.log)
      const { revision } = this
      for (const [i, one] of suggestions.entries()) {
        this.decided.set(one.id, { ...one, status: 'accepted', revision })
        const together = suggestions.length
        this.#acceptances.push({ ...one, revision, undoneBy: null, together, applied: places[i]! })
      }
    }

    reopen(...words: string[]) {
      const { outcomes, edit } = reopenSuggestions({
        content: this.content,
        suggestions: words.map((word) => this.decided.get(word)!),
        past: {
          ...{ before: this.#before, revision: 1, log: this.#log, acceptances: this.#acceptances },
          ...{ noted: [], rejected: [], order: [] },
        },
        anchors: [],
      })
      expect(outcomes).not.toContain(null)
      this.#write(edit!.log)
      for (const one of this.#acceptances) if (words.includes(one.id)) one.undoneBy ??= this.revision
    }
  }

  const orders = [
    ['a', 'b', 'c'],
    ['a', 'c', 'b'],
    ['b', 'a', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['c', 'b', 'a'],
  ]
  it.each(orders)('side by side that were left out in turn, in turn back: %s %s %s', (...order) => {
    const owner = new Owner('xabcy')
    for (const word of order) owner.accept([word, ''])
    expect(owner.content).toBe('xy')
    for (const word of order.toReversed()) owner.reopen(word)
    expect(owner.content).toBe('xabcy')
  })

  it('one of which changed what another had put in, in turn back', () => {
    const owner = new Owner('a quick fox')
    owner.accept(['quick', 'fast'])
    owner.accept(['fast fox', 'speedy dog'])
    owner.accept(['speedy dog', ''])
    for (const words of ['speedy dog', 'fast fox', 'quick']) owner.reopen(words)
    expect(owner.content).toBe('a quick fox')
  })

  it.each<[string, string, [string, string][]]>([
    [
      'left out side by side',
      'xabcy',
      [
        ['b', ''],
        ['a', ''],
        ['c', ''],
      ],
    ],
    [
      'that overlap',
      'The quick fox jumps.',
      [
        ['quick fox', 'fast fox'],
        ['fox jumps', 'dog jumps'],
      ],
    ],
    [
      'each on the one before',
      'a quick fox',
      [
        ['quick', 'fast'],
        ['fast fox', 'speedy fox'],
      ],
    ],
    [
      'on one word',
      'abc',
      [
        ['b', 'bX'],
        ['bX', 'YbX'],
      ],
    ],
  ])('%s that were accepted together, together back', (_what, text, suggested) => {
    const owner = new Owner(text)
    owner.accept(...suggested)
    owner.reopen(...suggested.map(([words]) => words))
    expect(owner.content).toBe(text)
  })
})

/** A text, suggestions side by side in it, and what somebody writes after they were accepted. */
const anyDecided = fc
  .tuple(
    anyText,
    fc.array(fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 9 }), fc.oneof(fc.constant(''), anyWords))),
  )
  .map(([text, pieces]) => {
    const whole = (at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)
    let at = 0
    const suggestions = pieces.flatMap(([gap, length, words], i) => {
      const start = whole(at + gap)
      const end = whole(start + length)
      at = end
      return end > text.length ? [] : [suggestOn(text, start, end, words, `s${i}`)]
    })
    return { text, suggestions }
  })
  .filter(({ suggestions }) =>
    suggestions.some(({ original_text, suggested_text }) => original_text !== suggested_text),
  )
  // What another makes a part of a larger word is accepted in its turn, if at all.
  .filter(
    ({ text: content, suggestions }) =>
      acceptSuggestions({ content, suggestions, anchors: [] }).applied.length === suggestions.length,
  )
const withEdits = anyDecided.chain(({ text, suggestions }) => {
  const { content, decided, past } = accepted(text, suggestions)
  return fc.record({
    text: fc.constant(text),
    content: fc.constant(content),
    decided: fc.constant(decided),
    past: fc.constant(past),
    changes: changesFor(content),
    some: fc.subarray(decided),
  })
})

it('of all that were accepted gives the text back, with each where it was', () => {
  fc.assert(
    fc.property(anyDecided, ({ text, suggestions }) => {
      const { content, decided, past } = accepted(text, suggestions)
      const { outcomes, edit } = reopenSuggestions({ content, suggestions: decided, past, anchors: [] })
      expect(edit?.content ?? content).toBe(text)
      expect(outcomes).toEqual(suggestions.map(({ range }) => ({ range })))
    }),
    { numRuns: 300 },
  )
})

it('never changes a word that others have written since', () => {
  fc.assert(
    fc.property(withEdits, ({ content, changes, some, past }) => {
      const now = applyChanges(content, changes)
      const { outcomes, edit } = reopenSuggestions({
        content: now,
        suggestions: some,
        past: since(past, changes),
        anchors: [],
      })
      const after = edit?.content ?? now
      const reopened = some.flatMap((one, i): { one: Reopenable; range: Range }[] => {
        const range = outcomes[i]?.range
        return range ? [{ one, range }] : []
      })
      const ends = reopened.toSorted((a, b) => b.range.start - a.range.start || b.range.end - a.range.end)
      const again = ends.reduce((text, { one, range }) => {
        expect(text.slice(range.start, range.end)).toBe(one.original_text)
        return text.slice(0, range.start) + one.suggested_text + text.slice(range.end)
      }, after)
      expect(again).toBe(now)
    }),
    { numRuns: 300 },
  )
})

it('reopens each whose words nobody has touched', () => {
  fc.assert(
    fc.property(withEdits, ({ content, decided, changes, past }) => {
      const now = applyChanges(content, changes)
      const { outcomes } = reopenSuggestions({
        content: now,
        suggestions: decided,
        past: since(past, changes),
        anchors: [],
      })
      const { moved } = plainEditByDecision(content, changes, [])
      expect(moved).toEqual([])
      past.acceptances.forEach(({ applied }, i) => {
        let isTouched = false
        changes.iterChangedRanges((from, to) => {
          isTouched ||= from <= applied!.end && to >= applied!.start
        })
        if (!isTouched) expect(outcomes[i]).not.toBeNull()
      })
    }),
    { numRuns: 300 },
  )
})

/** A paragraph's words that may go, something to be put in at either edge of them, and others' words for the same. */
const anyParagraphs = fc
  .tuple(
    fc.uniqueArray(fc.stringMatching(/^[a-z]{3,9} [a-z]{3,9}$/), { minLength: 3, maxLength: 6 }),
    fc.nat(),
    fc.boolean(),
  )
  .map(([words, which, isBehind]) => {
    const text = words.join('\n\n')
    const out = words[which % words.length]!
    const start = text.indexOf(`\n\n${out}\n\n`) + 2
    return { text, out, start, place: isBehind ? start + out.length : start }
  })
  .filter(({ start }) => start > 1)

it('of one that took a paragraph out has all others stand where they stood, decided or not', () => {
  fc.assert(
    fc.property(anyParagraphs, ({ text, out, start, place }) => {
      const gone = suggestOn(text, start, start + out.length, '', 'gone')
      const beside = { ...suggestOn(text, place, place, 'New.', 'beside'), kind: 'suggestion' as const }
      const { content, decided, past, edit: taken } = accepted(text, [gone], [beside])
      const now = { ...beside, ...taken.moved.find(({ id }) => id === 'beside') }
      expect(now.range).toEqual({ start, end: start })
      const { outcomes, edit } = reopenSuggestions({
        content,
        suggestions: [...decided, { ...gone, id: 'other', status: 'rejected', revision: 2, range: null }],
        past: { ...past, noted: [now] },
        anchors: [now],
      })
      expect(edit?.content).toBe(text)
      expect(outcomes).toEqual([{ range: gone.range }, { range: gone.range }])
      const back = edit?.moved.find(({ id }) => id === 'beside')?.range ?? now.range
      expect(back).toEqual({ start: place, end: place })
    }),
    { numRuns: 200 },
  )
})

/** Paragraphs of which some that follow each other may go, with the line ends before or behind them, and one to be put in. */
const anyBlocks = fc
  .record({
    words: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,9} [a-z]{3,9}$/), { minLength: 1, maxLength: 6 }),
    eol: fc.constantFrom('\n', '\r\n'),
    from: fc.nat(),
    size: fc.nat(),
    ends: fc.constantFrom('before', 'behind', 'neither'),
    at: fc.nat(),
    isBehind: fc.boolean(),
  })
  .map(({ words, eol, from, size, ends, at, isBehind }) => {
    const text = words.join(eol + eol) + eol
    const first = from % words.length
    const last = first + (size % (words.length - first))
    const startOf = (i: number) => words.slice(0, i).join('').length + i * 2 * eol.length
    const endOf = (i: number) => startOf(i) + words[i]!.length
    const start = ends === 'before' && first > 0 ? endOf(first - 1) : startOf(first)
    const end = ends === 'behind' && last + 1 < words.length ? startOf(last + 1) : endOf(last)
    const beside = at % words.length
    const place = isBehind ? endOf(beside) : startOf(beside)
    const put = isBehind ? `${eol}${eol}New.` : `New.${eol}${eol}`
    const left = words.map((one, i) => (i < first || i > last ? one : null))
    left.splice(isBehind ? beside + 1 : beside, 0, 'New.')
    return { text, start, end, place, put, left: left.filter((one) => one !== null) }
  })
  // Where another person's paragraph is at the edge of what goes with line ends, it goes on with what stands there.
  .filter(({ start, end, place }) => place > start && place < end)

it('of one that took paragraphs out leaves others’ within them apart from all else, and where they were to be', () => {
  fc.assert(
    fc.property(anyBlocks, ({ text, start, end, place, put, left }) => {
      const gone = suggestOn(text, start, end, '', 'gone')
      const within = suggestOn(text, place, place, put, 'within')
      const anchors = [{ ...within, kind: 'suggestion' as const }]
      const { content, decided, past, edit: taken } = accepted(text, [gone], anchors)
      const now = { ...within, ...taken.moved.find(({ id }) => id === 'within') }
      const both = acceptSuggestions({ content, suggestions: [now], anchors: [] }).edit?.content ?? ''
      expect(both.split(/(?:\r?\n){2,}/).map((one) => one.trim())).toEqual(left)
      const { edit } = reopenSuggestions({
        content,
        suggestions: decided,
        past: { ...past, noted: [now] },
        anchors: [{ ...now, kind: 'suggestion' }],
      })
      expect(edit?.content).toBe(text)
      const back = { ...now, ...edit?.moved.find(({ id }) => id === 'within') }
      expect([back.range, back.suggested_text]).toEqual([within.range, put])
    }),
    { numRuns: 300 },
  )
})
