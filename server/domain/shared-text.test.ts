import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { Update } from '../contract/records/changes.ts'
import { changesToJson } from './change-set.ts'
import { contentHash } from './content-hash.ts'
import { inOneGo } from './testing/in-one-go.ts'
import { rebase } from './rebase.ts'
import { pushedBy } from './outgoing-change.ts'
import { Diverged, SharedText, textOf } from './shared-text.ts'

const change = (length: number, from: number, to: number, insert = '') =>
  ChangeSet.of({ from, to, insert: textOf(insert) }, length)
/** A change as the server tells of it. */
function told(revision: number, changes: ChangeSet | number, content: string): Update {
  const isOwn = typeof changes === 'number'
  return {
    revision,
    number: isOwn ? changes : null,
    changes: isOwn ? null : changesToJson(changes),
    length: content.length,
    hash: contentHash(content),
    ...{ author: null, author_kind: null, key_name: null },
  }
}
const copy = (content: string) => new SharedText({ revision: 1, content })

describe('a copy of a text that others change', () => {
  it('sends one change at a time, and after that what was written meanwhile', () => {
    const text = copy('one')
    expect(text.outgoing()).toBeNull()
    text.change(change(3, 3, 3, ' two'))
    expect(text.outgoing()).toMatchObject({ base: 1, hash: contentHash('one'), number: 1 })
    text.change(change(7, 7, 7, ' three'))
    expect(text.outgoing()!.number).toBe(1)
    text.receive([told(2, 1, 'one two')])
    const next = text.outgoing()!
    expect([next.base, next.number, changesToJson(next.changes)]).toEqual([2, 2, [7, [0, ' three']]])
  })

  it('sends to the letter what was put in and taken out on the way', () => {
    const text = copy('a two b')
    text.change(change(7, 1, 5))
    text.change(change(3, 1, 1, ' one two'))
    expect(changesToJson(text.outgoing()!.changes)).toEqual([2, [0, 'one '], 5])
    text.change(change(11, 0, 1))
    text.change(change(10, 0, 0, 'a'))
    expect(text.current.toString()).toBe('a one two b')
  })

  it('sends nothing for what was taken out and put in again', () => {
    const text = copy('one')
    text.change(change(3, 0, 1))
    text.change(change(2, 0, 0, 'o'))
    expect(text.outgoing()).toBeNull()
    expect(text.isDirty).toBe(false)
  })

  it('joins places that are more than one change may have', () => {
    const content = 'word and\n'.repeat(2_000)
    const text = copy(content)
    const places = Array.from({ length: 2_000 }, (_, i) => ({ from: 9 * i, to: 9 * i + 4, insert: 'other' }))
    text.change(ChangeSet.of(places, content.length))
    const { changes } = text.outgoing()!
    expect(changesToJson(changes).length).toBeLessThanOrEqual(2 * limits.changedPlaces + 1)
    expect(changes.apply(textOf(content)).toString()).toBe('other and\n'.repeat(2_000))
  })

  it('sends what was refused in one with what is written next', () => {
    const text = copy('one')
    text.change(change(3, 3, 3, ' much too long'))
    text.outgoing()
    text.takeBack()
    text.change(change(17, 4, 17))
    expect(changesToJson(text.outgoing()!.changes)).toEqual([3, [0, ' ']])
  })

  it('passes over what it knows, and brings others’ changes over its own', () => {
    const text = copy('one')
    text.change(change(3, 3, 3, ' mine'))
    text.outgoing()
    const theirs = told(2, change(3, 0, 0, 'zero '), 'zero one')
    const [shown] = text.receive([theirs, theirs])
    expect(changesToJson(shown!)).toEqual([[0, 'zero '], 8])
    expect(text.current.toString()).toBe('zero one mine')
    expect(inOneGo(text.compared())).toBe(true)
    expect(text.placesNow([{ start: 5, end: 8 }])).toEqual([{ start: 5, end: 8 }])
  })

  it('follows a place of nothing as the server does: what is written there goes behind, or in the place of what was before', () => {
    const place = { start: 3, end: 3 }
    const behind = copy('one two')
    behind.change(change(7, 3, 3, ' and'))
    expect(behind.placeNow(place, 1)).toEqual(place)
    const before = copy('one two')
    before.change(change(7, 0, 3, 'f'))
    before.change(change(5, 1, 1, 'our'))
    expect(before.current.toString()).toBe('four two')
    expect(before.placeNow(place, 1)).toEqual({ start: 4, end: 4 })
  })

  it('follows places of the texts it has had, as far back as it knows, and waits for those to come', () => {
    const text = copy('one fox, a fox')
    const fox = { start: 11, end: 14 }
    expect(text.placeNow(fox, 1)).toEqual(fox)
    text.change(change(14, 0, 0, 'mine '))
    text.outgoing()
    text.receive([told(2, change(14, 0, 4, 'a '), 'a fox, a fox'), told(3, 1, 'mine a fox, a fox')])
    text.change(change(17, 17, 17, '!'))
    text.receive([told(5, change(17, 7, 14), 'mine a fox')])
    expect(text.current.toString()).toBe('mine a fox!')
    for (const [start, revision] of [
      [11, 1],
      [9, 2],
      [14, 3],
      // Revisions that a restored backup skipped have the text before.
      [14, 4],
      [7, 5],
    ] as const)
      expect(text.placeNow({ start, end: start + 3 }, revision)).toEqual({ start: 7, end: 10 })
    expect(text.placeNow({ start: 7, end: 10 }, 3)).toEqual({ start: 7, end: 7 })
    expect(text.placeNow(fox, 6)).toBeNull()
    expect(text.placeNow(fox, 0)).toBeNull()
    text.startAnew({ revision: 7, content: 'a fox' }, ChangeSet.empty(5))
    expect(text.placeNow({ start: 2, end: 5 }, 7)).toEqual({ start: 2, end: 5 })
    expect(text.placeNow({ start: 9, end: 12 }, 5)).toBeNull()
  })

  it.each([
    ['another length', () => [{ ...told(2, change(3, 0, 0, 'x'), 'xone'), length: 9 }]],
    ['a change of another text', () => [told(2, change(7, 0, 0, 'x'), 'xone')]],
    ['an answer to what was never sent', () => [told(2, 1, 'one')]],
  ])('says that it has come apart from the server’s: %s', (_what, updates) => {
    expect(() => copy('one').receive(updates())).toThrow(Diverged)
  })

  it('notices a text of the same length that is another', () => {
    const text = copy('one')
    text.receive([{ ...told(2, change(3, 0, 0, 'x'), 'xone'), hash: 1 }])
    expect(inOneGo(text.compared())).toBe(false)
  })

  it('tells how its text has come about from one that stays the same, until that gets long', () => {
    const text = copy('one')
    const { origin } = text.lineage
    expect(text.lineage.since).toBeNull()
    text.change(change(3, 3, 3, ' mine'))
    text.outgoing()
    text.receive([told(2, change(3, 0, 0, 'zero '), 'zero one'), told(3, 1, 'zero one mine')])
    expect(text.lineage).toEqual({ origin, since: [[0, 'zero '], 3, [0, ' mine']] })
    const long = 'word '.repeat(20_000)
    text.receive([told(4, change(13, 13, 13, long), `zero one mine${long}`)])
    expect(text.lineage).toEqual({ origin: text.confirmed, since: null })
    text.startAnew({ revision: 9, content: 'other' }, change(5, 0, 0, 'an'))
    expect(text.lineage.origin.toString()).toBe('other')
  })

  it('is restored with what waited, and finds what of that had arrived', () => {
    const text = copy('one')
    text.change(change(3, 3, 3, ' two'))
    text.outgoing()
    text.change(change(7, 7, 7, ' three'))
    const waiting = JSON.parse(JSON.stringify(text.waiting)) as SharedText['waiting']
    const again = SharedText.restored({ revision: 1, content: 'one' }, waiting)
    expect(again.current.toString()).toBe('one two three')
    const later = told(3, change(7, 0, 0, 'zero '), 'zero one two')
    expect(again.receiveOwn([told(2, 1, 'one two'), later])).toEqual([later])
    expect([again.confirmed.toString(), again.current.toString()]).toEqual(['one two', 'one two three'])
  })
})

/** Copies of one text and a server that brings each change over those since its base, told in any order of arrival. */
class Company {
  readonly copies: { text: SharedText; cursor: number; known: number }[]
  readonly log: { changes: ChangeSet; by: number; number: number; content: string }[] = []
  content: string

  constructor(content: string, places: readonly number[]) {
    this.content = content
    this.copies = places.map((cursor) => ({ text: copy(content), cursor, known: 0 }))
  }

  type(who: number, letters: string): void {
    const one = this.copies[who]!
    one.text.change(change(one.text.current.length, one.cursor, one.cursor, letters))
    one.cursor += letters.length
  }

  /** The first letter goes in the place of what stands there. */
  typeOver(who: number, to: number, letters: string): void {
    const one = this.copies[who]!
    one.text.change(change(one.text.current.length, one.cursor, to, letters))
    one.cursor += letters.length
  }

  /** What waits goes to the server, where the text has had no answer yet. */
  push(who: number): void {
    const sent = this.copies[who]!.text.outgoing()
    if (!sent || this.log.some(({ by, number }) => by === who && number === sent.number)) return
    let ours = sent.changes
    for (const { changes } of this.log.slice(sent.base - 1))
      ours = rebase([{ changes: ours, goesOn: sent.goesOn }], changes).ours[0]!
    this.content = ours.apply(textOf(this.content)).toString()
    this.log.push({ changes: ours, by: who, number: sent.number, content: this.content })
  }

  /** The next that the server has is told. */
  hear(who: number): void {
    const one = this.copies[who]!
    const next = this.log[one.known]
    if (!next) return
    one.known++
    const update = told(one.known + 1, next.by === who ? next.number : next.changes, next.content)
    for (const shown of one.text.receive([update])) one.cursor = shown.mapPos(one.cursor, -1)
  }

  settle(): void {
    for (let round = 0; round <= 2; round++)
      for (const who of this.copies.keys()) {
        while (this.copies[who]!.known < this.log.length) this.hear(who)
        this.push(who)
      }
    for (const who of this.copies.keys()) while (this.copies[who]!.known < this.log.length) this.hear(who)
  }
}

describe('words that several write at one place', () => {
  const words = ['⟨abcdefgh⟩', '⟨ijklmnop⟩', '⟨qrstuvwx⟩']
  const doing = fc.record({ who: fc.nat(2), what: fc.constantFrom('type', 'push', 'hear') })

  it('stay whole, whatever arrives when, and all come to one text', () => {
    fc.assert(
      fc.property(fc.array(doing, { maxLength: 80 }), fc.nat(5), (doings, place) => {
        const company = new Company('start', [place, place, place])
        const left = words.map((word) => [...word])
        for (const { who, what } of doings) {
          if (what === 'type') company.type(who, left[who]!.shift() ?? '')
          else company[what](who)
        }
        left.forEach((letters, who) => company.type(who, letters.join('')))
        company.settle()
        for (const { text } of company.copies) expect(text.current.toString()).toBe(company.content)
        for (const word of words) expect(company.content).toContain(word)
        expect(company.content).toHaveLength(5 + words.join('').length)
      }),
      { numRuns: 1_000 },
    )
  })

  it('stay whole also where they are written over a word, beside it, or where somebody takes it out', () => {
    const way = fc.constantFrom('over', 'before', 'behind', 'out')
    const [from, to] = [4, 8]
    fc.assert(
      fc.property(fc.array(doing, { maxLength: 80 }), fc.tuple(way, way, way), (doings, ways) => {
        const company = new Company(
          'the word here',
          ways.map((one) => (one === 'behind' ? to : from)),
        )
        const left = words.map((word, who) => (ways[who] === 'out' ? [] : [...`${word.slice(0, -1)}d`]))
        const begun = new Set<number>()
        const type = (who: number, letters: string) => {
          const one = company.copies[who]!
          // The word where its writer still sees it.
          const end = one.text.current.toString().indexOf('word', one.cursor) + 4
          const isOver = !begun.has(who) && (ways[who] === 'over' || ways[who] === 'out')
          begun.add(who)
          if (isOver && one.text.current.sliceString(one.cursor, one.cursor + 4) === 'word')
            company.typeOver(who, end, letters)
          else company.type(who, letters)
        }
        for (const { who, what } of doings) {
          if (what === 'type') type(who, left[who]!.shift() ?? '')
          else company[what](who)
        }
        left.forEach((letters, who) => type(who, letters.join('')))
        company.settle()
        for (const { text } of company.copies) expect(text.current.toString()).toBe(company.content)
        const typed = words.filter((_, who) => ways[who] !== 'out').map((word) => `${word.slice(0, -1)}d`)
        for (const word of typed) expect(company.content).toContain(word)
      }),
      { numRuns: 2_000 },
    )
  })

  it('stay whole behind a first letter that took a word’s place', () => {
    const company = new Company('the word here', [8, 4])
    company.typeOver(1, 8, 'b')
    company.push(1)
    company.hear(1)
    company.hear(0)
    expect(company.copies[0]!.cursor).toBe(5)
    company.type(0, 'RED')
    company.push(0)
    company.type(1, 'lue')
    company.settle()
    expect(company.content).toBe('the blueRED here')
  })

  it('lose no letter to somebody who takes out the word that they are written over', () => {
    const company = new Company('the word here', [4, 4])
    company.typeOver(0, 8, 'red')
    company.typeOver(1, 8, '')
    company.push(1)
    company.push(0)
    company.settle()
    expect(company.content).toBe('the red here')
  })

  it('come in the order in which they were begun, also where somebody begins a line right behind them', () => {
    const company = new Company('', [0, 0])
    company.type(0, 'hel')
    company.push(0)
    company.hear(0)
    company.hear(1)
    // Behind the letters so far.
    company.copies[1]!.cursor = 3
    company.type(1, '\n')
    company.push(1)
    company.type(0, 'lo')
    company.settle()
    expect(company.content).toBe('hello\n')
  })

  it('are told of also where they were left in a browser', () => {
    const text = copy('')
    text.change(change(0, 0, 0, 'hel'))
    text.outgoing()
    text.receive([told(2, 1, 'hel')])
    text.change(change(3, 3, 3, 'lo'))
    expect(pushedBy('c', text.outgoing()!)).toMatchObject({ base: 2, number: 2, goes_on: true })
    const again = SharedText.restored({ revision: 2, content: 'hel' }, text.waiting)
    again.receive([told(3, change(3, 3, 3, '!'), 'hel!')])
    expect(again.current.toString()).toBe('hello!')
    expect(again.outgoing()!.goesOn).toBe(true)
  })

  it('are not told of where something else was put in, or taken out', () => {
    const text = copy('one two')
    const sent = (changes: ChangeSet) => {
      text.change(changes)
      const { goesOn, number, base } = text.outgoing()!
      text.receive([told(base + 1, number, text.current.toString())])
      return goesOn
    }
    expect(sent(change(7, 3, 3, 'a'))).toBe(false)
    expect(sent(change(8, 4, 4, 'b'))).toBe(true)
    expect(sent(change(9, 4, 4, 'c'))).toBe(true)
    // Before it, elsewhere, and in the place of something.
    expect(sent(change(10, 3, 3, 'x'))).toBe(false)
    expect(sent(change(11, 9, 9, 'y'))).toBe(false)
    expect(sent(change(12, 9, 10, 'z'))).toBe(false)
  })
})

describe('a move that two make at one time', () => {
  const content = 'aaa\nbbb\nccc\nddd'
  /** As the editor moves a line past the next. */
  const move = ChangeSet.of(
    [
      { from: 4, insert: textOf('ccc\n') },
      { from: 7, to: 11 },
    ],
    content.length,
  )
  /** What the server makes of a change that came after another. */
  const afterTheirs = (own: ChangeSet, theirs: ChangeSet) =>
    rebase([{ changes: own, goesOn: false }], theirs).ours[0]!

  it('is made once, whether the second is on its way or not', () => {
    for (const isSent of [true, false]) {
      const text = copy(content)
      text.change(move)
      if (isSent) text.outgoing()
      text.receive([told(2, move, 'aaa\nccc\nbbb\nddd')])
      expect(text.current.toString()).toBe('aaa\nccc\nbbb\nddd')
      if (!isSent) {
        expect(text.outgoing()).toBeNull()
        continue
      }
      const doubled = afterTheirs(move, move).apply(textOf('aaa\nccc\nbbb\nddd')).toString()
      expect(doubled).toBe('aaa\nccc\nccc\nbbb\nddd')
      text.receive([told(3, 1, doubled)])
      const next = text.outgoing()!
      expect(next.changes.apply(textOf(doubled)).toString()).toBe('aaa\nccc\nbbb\nddd')
    }
  })

  it('keeps what was written in the line since', () => {
    const text = copy(content)
    text.change(move)
    text.outgoing()
    text.change(change(content.length, 5, 5, 'new'))
    text.receive([told(2, move, 'aaa\nccc\nbbb\nddd')])
    expect(text.current.toString()).toContain('cnewcc')
  })

  it('isn’t taken for what two have only written alike', () => {
    for (const own of [change(content.length, 4, 4, 'ccc\n'), change(content.length, 4, 7, 'ccc')]) {
      const text = copy(content)
      text.change(own)
      const theirs = own.apply(textOf(content)).toString()
      text.receive([told(2, own, theirs)])
      expect(text.current.toString().match(/ccc/g)).toHaveLength(3)
    }
  })
})
