import type { TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { isolateHistory } from '@codemirror/commands'
import { describe, expect, it } from 'vitest'
import type { Editor } from './editor.ts'
import { TestCompany } from './testing/company.ts'

function two(content = 'the word here') {
  const company = new TestCompany(content, 2)
  const [one, other] = company.writers as [TestCompany['writers'][0], TestCompany['writers'][0]]
  const settled = () => {
    company.settle()
    for (const { text } of company.writers) expect(text).toBe(company.content)
    return company.content
  }
  return { company, one, other, settled }
}

describe('undo of what two have written over the same word', () => {
  it('brings that back once, whoever undoes first', () => {
    for (const isFirst of [true, false]) {
      const { one, other, settled } = two()
      one.typeOver('word', 'red')
      other.typeOver('word', 'blue')
      expect(settled()).toBe('the redblue here')
      const [first, last] = isFirst ? [one, other] : [other, one]
      first.undo()
      expect(settled()).toBe(isFirst ? 'the wordblue here' : 'the red here')
      last.undo()
      expect(settled()).toBe('the word here')
      last.redo()
      expect(settled()).toBe(isFirst ? 'the wordblue here' : 'the red here')
      first.redo()
      expect(settled()).toBe('the redblue here')
    }
  })

  it('brings a word that both took out back once, by who took it out first', () => {
    const { one, other, settled } = two()
    other.replace(0, 0, 'Now ')
    settled()
    one.typeOver('word ', '')
    other.typeOver('word ', '')
    expect(settled()).toBe('Now the here')
    // And nothing elsewhere.
    other.undo()
    expect(settled()).toBe('Now the here')
    one.undo()
    expect(settled()).toBe('Now the word here')
    other.undo()
    expect(settled()).toBe('the word here')
  })

  it('brings nothing back twice where one has undone before the other’s change came', () => {
    const { one, other, settled } = two()
    other.typeOver('word', 'blue')
    other.undo()
    one.typeOver('word', 'red')
    expect(settled()).toBe('the red here')
    one.undo()
    expect(settled()).toBe('the word here')
  })

  it('leaves alone what another has written over it since, and glues nothing to that', () => {
    const { one, other, settled } = two()
    one.typeOver('word', 'red')
    settled()
    other.typeOver('red', 'blue')
    settled()
    one.undo()
    expect(settled()).toBe('the blue here')
    other.undo()
    expect(settled()).toBe('the red here')
    one.undo()
    expect(settled()).toBe('the red here')
  })

  it('brings back what is taken out anew, also where the same words were somebody else’s before', () => {
    const { one, other, settled } = two()
    one.typeOver('word', 'red')
    other.typeOver('word', 'blue')
    settled()
    other.replace(4, 4, 'word')
    settled()
    other.do({ changes: { from: 4, to: 8 }, annotations: isolateHistory.of('full') })
    settled()
    other.undo()
    expect(settled()).toBe('the wordredblue here')
  })
})

describe('undo of what was written during an absence', () => {
  it.each(['comeBack', 'comeBackLate'] as const)(
    'takes out one’s own words and leaves the others’: %s',
    (way) => {
      const { company, one, other, settled } = two()
      other.typeOver('word', 'slow')
      one.typeOver('word', 'fast')
      one.push()
      other[way]()
      expect(other.state.selection.main.head).toBe('the slow'.length)
      expect(settled()).toBe('the slow fast here')
      expect(other.open.conflicts.open).toMatchObject([{ mine: 'slow', theirs: 'fast' }])
      expect(other.undo()).toBe(true)
      expect(settled()).toBe('the fast here')
      expect(other.undo()).toBe(false)
      other.redo()
      expect(settled()).toBe('the slow fast here')
      other.undo()
      one.undo()
      expect(settled()).toBe('the word here')
      expect(company.log.length).toBeGreaterThan(3)
    },
  )

  it('finds them also where the others’ were chosen, and that is undone first', () => {
    const { one, other, settled } = two()
    other.typeOver('word', 'slow')
    one.typeOver('word', 'fast')
    one.push()
    other.comeBack()
    settled()
    const { conflicts } = other.open
    const view = { dispatch: (spec: TransactionSpec) => other.do(spec), focus() {} }
    conflicts.choose(conflicts.open[0]!, 'theirs', { view } as unknown as Editor)
    expect(settled()).toBe('the fast here')
    other.undo()
    expect(settled()).toBe('the slow fast here')
    other.undo()
    expect(settled()).toBe('the fast here')
  })

  it.each(['comeBack', 'comeBackLate'] as const)('takes what was written elsewhere as ever: %s', (way) => {
    const { one, other, settled } = two('One two.\n\nThree four.\n')
    other.typeOver('two', 'second')
    other.typeOver('four', 'fourth')
    one.typeOver('One', 'First')
    one.typeOver('four', '4th')
    one.push()
    other[way]()
    expect(settled()).toBe('First second.\n\nThree fourth 4th.\n')
    other.undo()
    expect(settled()).toBe('First second.\n\nThree 4th.\n')
    other.undo()
    expect(settled()).toBe('First two.\n\nThree 4th.\n')
    one.undo()
    one.undo()
    expect(settled()).toBe('One two.\n\nThree four.\n')
  })
})

describe('undo of everything after an absence', () => {
  const writing = fc.array(fc.record({ word: fc.nat(3), goes: fc.boolean() }), { maxLength: 3 })

  it('leaves no word twice, and none that was written', () => {
    const base = ['one', 'two', 'three', 'four']
    fc.assert(
      fc.property(writing, writing, fc.boolean(), (near, away, isFirst) => {
        const { one, other, settled } = two(base.join(' '))
        const written: string[] = []
        for (const [writer, doings] of [
          [one, near],
          [other, away],
        ] as const)
          for (const { word, goes } of doings) {
            const fresh = goes ? '' : `${'kz'[Number(writer === other)]}${written.length}`
            if (!goes) written.push(fresh)
            if (writer.text.includes(base[word]!)) writer.typeOver(base[word]!, fresh)
          }
        one.push()
        other.comeBack()
        const all = () => settled().match(/[a-z0-9]+/g) ?? []
        const isOnce = (words: string[]) => expect(new Set(words).size, words.join(' ')).toBe(words.length)
        isOnce(all())
        for (const writer of isFirst ? [one, other] : [other, one]) {
          while (writer.undo());
          isOnce(all())
        }
        expect(all().filter((word) => !base.includes(word))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})

describe('undo of everything', () => {
  const doing = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom(
      'replace',
      'replace',
      'delete',
      'type',
      'push',
      'hear',
      'hear',
      'undo',
      'redo',
      'settle',
    ),
    at: fc.nat(9),
    length: fc.integer({ min: 1, max: 4 }),
  })

  it('by everybody leaves no letter twice', () => {
    const base = 'abcd efgh'
    fc.assert(
      fc.property(fc.array(doing, { maxLength: 40 }), (doings) => {
        const company = new TestCompany(base, 2)
        let next = 0
        const fresh = (count: number) =>
          Array.from({ length: count }, () => String.fromCodePoint(0x4e00 + next++)).join('')
        const check = (text: string) => {
          const letters = [...text].filter((letter) => letter !== ' ')
          expect(new Set(letters).size, text).toBe(letters.length)
        }
        for (const { who, what, at, length } of doings) {
          const writer = company.writers[who]!
          const from = Math.min(at, writer.text.length)
          const to = Math.min(from + length, writer.text.length)
          // Which letters of what was put together on the way come back by which step isn’t known.
          const isAtServer = [...writer.text.slice(from, to)].map((letter) =>
            writer.open.text.base.content.includes(letter),
          )
          if (
            (what === 'replace' || what === 'delete') &&
            isAtServer.includes(true) &&
            isAtServer.includes(false)
          )
            continue
          if (what === 'replace') writer.replace(from, to, fresh(length))
          else if (what === 'delete') writer.replace(from, to, '')
          else if (what === 'type') writer.replace(from, from, fresh(length))
          else if (what === 'hear') writer.hear(1)
          else if (what === 'settle') company.settle()
          else if (what === 'push') writer.push()
          // What comes back before it was sent that it went is as if it was typed.
          else if (!writer.open.text.isDirty) writer[what]()
        }
        company.settle()
        for (const { text } of company.writers) expect(text).toBe(company.content)
        check(company.content)
        for (const writer of company.writers) {
          while (writer.undo());
          company.settle()
          for (const { text } of company.writers) expect(text).toBe(company.content)
          check(company.content)
        }
      }),
      { numRuns: 400 },
    )
  })
})
