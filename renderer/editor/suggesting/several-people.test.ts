import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detachedOf, isSent, writtenSuggestions } from './own-suggestions.ts'
import { rejecting } from './shown-suggestions.ts'
import type { WrittenSuggestion } from './stretches.ts'
import { changeOf, Suggesting } from './testing/suggesting.ts'

const words = fc.constantFrom('a', 'Ende', ' ', 'word ', '\n', '\n\n', '🦊', '**', 'é', ', ')

describe('several people who suggest in one text, and decisions in any order', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const who = fc.nat(2)
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('suggest' as const), who, at: place, to: place, text: words }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('edit' as const), at: place, to: place, text: words }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('accept' as const, 'reject' as const), who, at: place }),
    },
  )
  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

  /** A text, who suggests in it, and what its owner does with that. */
  class Desk {
    document: string
    readonly people: Suggesting[]
    constructor(document: string) {
      this.document = document
      this.people = [0, 1, 2].map(() => new Suggesting(document))
    }

    pending(who: number): WrittenSuggestion[] {
      return this.people[who]!.pending
    }
    suggest(who: number, from: number, to: number, text: string): void {
      const one = this.people[who]!
      one.cursor(from, to).type(text)
      this.send()
    }
    send(): void {
      for (const one of this.people) {
        for (const { key, original, suggested } of writtenSuggestions(one.state).values())
          one.dispatch(isSent(key, { original, suggested }))
      }
    }
    change(from: number, to: number, text: string): void {
      const { length } = this.document
      this.document = this.document.slice(0, from) + text + this.document.slice(to)
      for (const one of this.people) one.others(changeOf(length, from, to, text))
      this.send()
    }
    accept({ start, original, suggested }: WrittenSuggestion): void {
      const end = start + original.length
      expect(this.document.slice(start, end)).toBe(original)
      this.change(start, end, suggested)
    }
    reject(who: number, { key, original, suggested }: WrittenSuggestion): void {
      const one = this.people[who]!
      const others = this.pending(who).filter((other) => other.key !== key)
      const rejected = rejecting(one.state, key, { original, suggested })!
      one.dispatch(rejected.spec)
      expect(rejected.leaves).toBe(false)
      const wordsOf = (all: WrittenSuggestion[]) => all.map((other) => [other.original, other.suggested])
      expect(wordsOf(this.pending(who))).toEqual(wordsOf(others))
    }
    check(): void {
      for (const one of this.people) expect(one.document).toBe(this.document)
    }

    do(one: Step): void {
      if (one.kind === 'edit' || one.kind === 'suggest') {
        const length = one.kind === 'edit' ? this.document.length : this.people[one.who]!.state.doc.length
        const from = Math.floor(one.at * length)
        const to = Math.min(length, from + Math.floor(one.to * 8))
        if (one.kind === 'edit') this.change(from, to, one.text)
        else this.suggest(one.who, from, to, one.text)
        return
      }
      const all = this.pending(one.who)
      const chosen = all[Math.floor(one.at * all.length)]
      if (!chosen) return
      if (one.kind === 'accept') this.accept(chosen)
      else this.reject(one.who, chosen)
    }
  }

  const story = fc.tuple(fc.array(words, { maxLength: 40 }), fc.array(step, { maxLength: 40 }))
  const told = ([begin, steps]: [string[], Step[]]) => {
    const desk = new Desk(begin.join(''))
    for (const one of steps) {
      desk.do(one)
      desk.check()
    }
    return desk
  }
  const meet = (one: WrittenSuggestion, other: WrittenSuggestion) =>
    one.start <= other.start + other.original.length && other.start <= one.start + one.original.length

  test('what one has suggested reads, once all of it is accepted, as it did where it was typed', () => {
    fc.assert(
      fc.property(story, fc.nat(2), (steps, who) => {
        const desk = told(steps)
        const one = desk.people[who]!
        const all = desk.pending(who).sort((a, b) => b.start - a.start)
        // Two at one place are as their author has them only in the order in which they stand.
        fc.pre(all.every((suggestion, i) => i === 0 || !meet(suggestion, all[i - 1]!)))
        fc.pre(detachedOf(one.state).size === 0)
        const read = one.asSuggested
        for (const suggestion of all) desk.accept(suggestion)
        desk.check()
        expect(desk.document).toBe(read)
        expect(one.shown).toBe(read)
      }),
      { numRuns: 500 },
    )
  })

  test('rejecting all gives everybody the text', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const desk = told(steps)
        for (const who of [0, 1, 2]) for (const one of desk.pending(who)) desk.reject(who, one)
        desk.check()
        for (const one of desk.people)
          if (detachedOf(one.state).size === 0) expect(one.asSuggested).toBe(desk.document)
      }),
      { numRuns: 500 },
    )
  })

  test('a decision leaves alone what others suggest elsewhere', () => {
    fc.assert(
      fc.property(story, fc.nat(2), fc.nat(2), place, (steps, who, other, at) => {
        const desk = told(steps)
        const all = desk.pending(who)
        const chosen = all[Math.floor(at * all.length)]
        fc.pre(chosen !== undefined && who !== other)
        const apart = desk.pending(other).filter((one) => !meet(one, chosen))
        desk.accept(chosen)
        const grown = chosen.suggested.length - chosen.original.length
        const now = new Map(desk.pending(other).map((one) => [one.key, one]))
        for (const { key, start, suggested } of apart) {
          const one = now.get(key)
          expect(one?.start).toBe(start > chosen.start ? start + grown : start)
          expect(one?.suggested).toBe(suggested)
        }
      }),
      { numRuns: 500 },
    )
  })
})
