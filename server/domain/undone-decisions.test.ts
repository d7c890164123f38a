import fc from 'fast-check'
import { expect, it } from 'vitest'
import { acceptSuggestions } from './accept-suggestions.ts'
import { anchorAt } from './anchors/anchor.ts'
import type { LoggedChanges } from './change-set.ts'
import type { AnchoredRecord, Edited } from './document-change.ts'
import { reopenSuggestions, type Reopenable } from './reopen-suggestions.ts'
import { placeSuggestion } from './suggestion.ts'

interface Suggested extends AnchoredRecord {
  original_text: string
  suggested_text: string
}

/** A text whose owner decides on suggestions and takes that back, as the server keeps it. */
class Decided {
  content: string
  revision = 1
  readonly pending: Suggested[]
  readonly #accepted = new Map<string, Suggested & Reopenable>()
  readonly #log: { revision: number; changes: LoggedChanges }[] = []
  readonly #reopenings: number[] = []

  constructor(content: string, suggested: readonly Suggested[]) {
    this.content = content
    this.pending = [...suggested]
  }

  accept(id: string): boolean {
    const one = this.#take(id)
    const { applied, places, edit } = acceptSuggestions({
      content: this.content,
      suggestions: [one],
      anchors: this.#anchors(),
      order: this.pending.filter(({ original_text }) => original_text === '').map((other) => other.id),
    })
    if (!applied[0]) {
      this.pending.push(one)
      return false
    }
    this.#write(edit)
    const made = { status: 'accepted' as const, revision: this.revision, applied: places[0]! }
    this.#accepted.set(id, { ...one, ...made })
    return true
  }

  undo(id: string): boolean {
    const one = this.#accepted.get(id)!
    const { outcomes, edit } = reopenSuggestions({
      content: this.content,
      suggestions: [one],
      log: this.#log,
      together: [],
      reopenings: this.#reopenings,
      anchors: this.#anchors(),
    })
    const [outcome] = outcomes
    if (!outcome) return false
    this.#write(edit)
    this.#reopenings.push(this.revision)
    this.#accepted.delete(id)
    this.pending.push({ ...one, range: outcome.range })
    return true
  }

  placeOf(id: string) {
    return placeSuggestion(
      this.content,
      this.pending.find((one) => one.id === id)!,
    )
  }

  #take(id: string): Suggested {
    return this.pending.splice(
      this.pending.findIndex((one) => one.id === id),
      1,
    )[0]!
  }

  #anchors(): AnchoredRecord[] {
    return this.pending.map(({ original_text, suggested_text, ...one }) =>
      original_text === '' ? { ...one, suggested_text } : one,
    )
  }

  #write(edit: Edited<string> | null) {
    this.revision++
    if (!edit) return
    this.content = edit.content
    this.#log.push({ revision: this.revision, changes: JSON.parse(edit.log) as LoggedChanges })
    for (const { id, ...moved } of edit.moved)
      Object.assign(
        this.pending.find((one) => one.id === id)!,
        moved,
      )
  }
}

/** A text of words that often stand there twice, and suggestions anywhere in it: within words, at lines' ends, side by side. */
const anyDocument = fc
  .record({
    pieces: fc.array(fc.constantFrom('one', 'two', 'One two', '# One', '- two', '| one | two |', '😀'), {
      minLength: 1,
      maxLength: 7,
    }),
    ends: fc.array(fc.constantFrom(' ', '\n', '\n\n', '\n\n', '\r\n', '\r\n\r\n'), {
      minLength: 8,
      maxLength: 8,
    }),
    places: fc.tuple(fc.tuple(fc.nat(), fc.nat()), fc.tuple(fc.nat(), fc.nat())),
    words: fc.tuple(
      ...[0, 1].map(() =>
        fc.constantFrom(
          '',
          '',
          ' ',
          'one',
          'two',
          ' one',
          'one two',
          '\n\nNew.',
          'New.\n\n',
          '\n- two',
          '\r\n\r\nNew.',
          '\n',
          '\n\n',
        ),
      ),
    ),
  })
  .map(({ pieces, ends, places, words }) => {
    const content = pieces.map((piece, i) => piece + ends[i]!).join('')
    // Often where words or line ends begin or end, as people suggest.
    const edges = [...content.matchAll(/(?<=\s)(?=\S)|(?<=\S)(?=\s)|^|$|(?<=\n)(?=\r?\n)/g)].map(
      ({ index }) => index,
    )
    const suggested = places.map(([from, size], i): Suggested => {
      const at = from % edges.length
      const start = edges[at]!
      const end = edges[Math.min(edges.length - 1, at + (size % 4))]!
      const original_text = content.slice(start, end)
      return {
        id: 'ab'[i]!,
        kind: 'suggestion',
        original_text,
        suggested_text: words[i]!,
        anchor: anchorAt(content, start, end),
        range: { start, end },
      }
    })
    return { content, suggested }
  })
  .filter(({ suggested }) => suggested.every((one) => one.original_text !== one.suggested_text))

const runs = { numRuns: 500 }

it('a decision taken back at once gives the text back, with it where it stood and the other as it was worded', () => {
  fc.assert(
    fc.property(anyDocument, ({ content, suggested }) => {
      for (const { id, range } of suggested) {
        const text = new Decided(content, structuredClone(suggested))
        expect(text.accept(id)).toBe(true)
        expect(text.undo(id)).toBe(true)
        expect(text.content).toBe(content)
        expect(text.placeOf(id)).toEqual(range)
        const said = text.pending.map((one) => [one.id, one.suggested_text, one.lineEnds ?? null]).toSorted()
        expect(said).toEqual(suggested.map((one) => [one.id, one.suggested_text, null]))
      }
    }),
    runs,
  )
})

it('two taken back in either order give the text back, or the first is left as the other is on it', () => {
  fc.assert(
    fc.property(anyDocument, fc.boolean(), ({ content, suggested }, isFirstFirst) => {
      const text = new Decided(content, structuredClone(suggested))
      expect(text.accept('a')).toBe(true)
      const after = text.content
      if (!text.accept('b')) return
      const both = text.content
      const [one, other] = suggested.map(({ range }) => range!)
      // Of words that two share, what the second did stands on what the first did; and where one replaces words right
      // beside another's, what it has put in may be told as put in beside these.
      const isPlain = suggested.every((it) => it.original_text === '' || it.suggested_text === '')
      const gap = Math.max(other!.start - one!.end, one!.start - other!.end)
      const isApart = gap > 0 || (gap === 0 && isPlain)
      if (isFirstFirst && isApart) {
        const isBack = text.undo('a')
        if (!isBack) expect(text.content).toBe(both)
        expect(text.undo('b')).toBe(true)
        if (!isBack) expect(text.content).toBe(after)
        if (!isBack) expect(text.undo('a')).toBe(true)
      } else {
        expect(text.undo('b')).toBe(true)
        expect(text.content).toBe(after)
        expect(text.undo('a')).toBe(true)
      }
      expect(text.content).toBe(content)
    }),
    runs,
  )
})

it.each([
  ['- milk (1 l)\n', '- oil (1 l)\n', '1', 'End.\n'],
  ['First para has the teh word.\n\n', 'Second para has the teh word.\n\n', 'teh', 'End.\n'],
])('leaves another’s suggestion off the same words of %j beside its own', (own, other, words, rest) => {
  const content = own + other + rest
  const suggest = (id: string, start: number, original_text: string, suggested_text: string): Suggested => {
    const range = { start, end: start + original_text.length }
    const anchor = anchorAt(content, range.start, range.end)
    return { id, kind: 'suggestion', original_text, suggested_text, anchor, range }
  }
  const at = content.indexOf(words)
  const text = new Decided(content, [
    suggest('pending', at, words, 'new'),
    suggest('own', 0, own, ''),
    suggest('other', own.length, other, ''),
  ])
  for (const id of ['own', 'other']) expect(text.accept(id)).toBe(true)
  expect(text.undo('other')).toBe(true)
  expect(text.placeOf('pending')).toBeNull()
  expect(text.undo('own')).toBe(true)
  expect(text.content).toBe(content)
  expect(text.placeOf('pending')).toEqual({ start: at, end: at + words.length })
})
