import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLf } from '../../server/domain/line-endings.ts'
import { twoWriters as two } from './testing/two-writers.ts'

describe('what two wrote alike during an absence', () => {
  it.each([
    ['one three', 'one', ' two', ' two', 'one two three', 'one two three'],
    ['one three', 'one', ' two', ' two more', 'one two more three', 'one two three'],
    ['one three', 'one', ' two more', ' two', 'one two more three', 'one two more three'],
    ['the wrd here', 'w', 'o', 'o', 'the word here', 'the word here'],
  ])(
    'stays when the later of them undoes: in %j behind %j %j and %j',
    (content, behind, near, away, ...rest) => {
      const [together, left] = rest
      for (const way of ['comeBack', 'comeBackLate'] as const) {
        const { one, other, settled } = two(content)
        one.typeAfter(behind, near)
        other.typeAfter(behind, away)
        one.push()
        other[way]()
        expect(settled()).toBe(together)
        for (let times = 0; times < 2; times++) {
          other.undo()
          expect(settled()).toBe(left)
          one.undo()
          expect(settled()).toBe(content)
          one.redo()
          expect(settled()).toBe(left)
          other.redo()
          expect(settled()).toBe(together)
        }
      }
    },
  )

  it.each([
    ['one two three', 'two', 'new'],
    ['the wrod here', 'ro', 'or'],
  ])('stays also where both wrote it over the same: in %j %j → %j', (content, gone, put) => {
    for (const way of ['comeBack', 'comeBackLate'] as const) {
      const { one, other, settled } = two(content)
      for (const writer of [one, other]) writer.typeOver(gone, put)
      one.push()
      other[way]()
      const together = content.replace(gone, put)
      expect(settled()).toBe(together)
      other.undo()
      expect(settled()).toBe(together)
      one.undo()
      expect(settled()).toBe(content)
      one.redo()
      expect(settled()).toBe(together)
      other.redo()
      expect(settled()).toBe(together)
    }
  })

  it.each([
    ['one three', 'one', ' two', ' two', 'one two three'],
    ['the wrd here', 'w', 'o', 'o', 'the word here'],
    ['One.\n\nThree.\n', 'One.', '\n\nAll of two.', '\n\nAll of two.', 'One.\n\nAll of two.\n\nThree.\n'],
    ['One.\r\n\r\nThree.\r\n', 'One.', '\n\nTwo.', '\n\nTwo.', 'One.\n\nTwo.\n\nThree.\n'],
    ['- one\n- three\n', 'one', '\n- two', '\n- two', '- one\n- two\n- three\n'],
    ['- one\n- three\n', '- one\n', '- two\n', '- two\n', '- one\n- two\n- three\n'],
  ])(
    'stays while either stands by it: in %j behind %j %j and %j',
    (content, behind, near, away, together) => {
      for (const way of ['comeBack', 'comeBackLate'] as const)
        for (const isFirst of [true, false])
          for (const isFirstAgain of [true, false]) {
            const { company, one, other } = two(content)
            const settled = () => {
              company.settle()
              for (const { text } of company.writers) expect(text).toBe(toLf(company.content))
              return one.text
            }
            one.typeAfter(behind, near)
            other.typeAfter(behind, away)
            one.push()
            other[way]()
            expect(settled()).toBe(together)
            const [first, last] = isFirst ? [one, other] : [other, one]
            const [again, later] = isFirstAgain ? [one, other] : [other, one]
            for (let times = 0; times < 2; times++) {
              first.undo()
              expect(settled()).toBe(together)
              last.undo()
              expect(settled()).toBe(toLf(content))
              again.redo()
              expect(settled()).toBe(together)
              later.redo()
              expect(settled()).toBe(together)
              first.undo()
              expect(settled()).toBe(together)
              first.redo()
              expect(settled()).toBe(together)
              last.undo()
              expect(settled()).toBe(together)
              last.redo()
              expect(settled()).toBe(together)
            }
          }
    },
  )

  it('stands there once while either stands by it, whatever is undone and redone', () => {
    const place = fc.record({
      behind: fc.constantFrom('one', 'two', 'three'),
      word: fc.constantFrom(' k', ' z'),
    })
    const typed = fc.uniqueArray(place, { maxLength: 3, selector: ({ behind }) => behind })
    const steps = fc.array(fc.record({ who: fc.nat(1), isUndo: fc.boolean() }), { maxLength: 12 })
    fc.assert(
      fc.property(typed, typed, steps, fc.boolean(), (near, away, steps, isLate) => {
        const { one, other, settled } = two('one, two, three.')
        const hands = [one, other].map((writer, i) => {
          const all = [near, away][i]!
          for (const { behind, word } of all) writer.typeAfter(behind, word)
          return { writer, all, done: all.length }
        })
        one.push()
        other[isLate ? 'comeBackLate' : 'comeBack']()
        const isRight = () => {
          const text = settled()
          for (const behind of ['one', 'two', 'three']) {
            const stands = text.slice(text.indexOf(behind) + behind.length).match(/^(?: *[kz])*/)![0]
            const wanted = new Set(
              hands
                .flatMap(({ all, done }) => all.slice(0, done).filter((one) => one.behind === behind))
                .map(({ word }) => word.trim()),
            )
            expect((stands.match(/[kz]/g) ?? []).toSorted(), text).toEqual([...wanted].toSorted())
          }
        }
        isRight()
        for (const { who, isUndo } of steps) {
          const hand = hands[who]!
          const next = hand.done + (isUndo ? -1 : 1)
          if (next < 0 || next > hand.all.length) continue
          if (isUndo) hand.writer.undo()
          else hand.writer.redo()
          hand.done = next
          isRight()
        }
      }),
      { numRuns: 500 },
    )
  })

  it('stays for whoever has it once more, however often it was taken out by both in between', () => {
    const { one, other, settled } = two('one three')
    one.typeAfter('one', ' two')
    other.typeAfter('one', ' two')
    one.push()
    other.comeBack()
    settled()
    for (const step of [
      () => other.undo(),
      () => one.undo(),
      () => one.redo(),
      () => one.undo(),
      () => other.redo(),
      () => one.redo(),
      () => other.undo(),
    ]) {
      step()
      settled()
    }
    expect(settled()).toBe('one two three')
    one.undo()
    expect(settled()).toBe('one three')
  })

  it('is taken out by whoever deletes it', () => {
    for (const deleter of [0, 1]) {
      const { company, one, other, settled } = two('one three')
      one.typeAfter('one', ' two')
      other.typeAfter('one', ' two')
      one.push()
      other.comeBack()
      settled()
      company.writers[deleter]!.typeOver(' two', '')
      expect(settled()).toBe('one three')
      company.writers[deleter]!.undo()
      expect(settled()).toBe('one two three')
    }
  })

  it('is undone with the rest of what one wrote around it', () => {
    const { one, other, settled } = two('one three')
    one.typeAfter('one', ' two')
    other.typeAfter('one', ' two')
    one.push()
    other.comeBack()
    settled()
    other.typeAfter('tw', 'XX')
    expect(settled()).toBe('one twXXo three')
    other.undo()
    expect(settled()).toBe('one two three')
    other.undo()
    expect(settled()).toBe('one two three')
    one.undo()
    expect(settled()).toBe('one three')
  })
})

describe('what two took out alike during an absence', () => {
  it.each([
    ['one two three', ' two'],
    ['One.\n\nAll two.\n\nThree.\n', 'All two.\n\n'],
    ['- one\n- two\n- three\n', '- two\n'],
  ])('comes back once, with the undo of whoever took it out first: of %j %j', (content, gone) => {
    for (const isFirst of [true, false]) {
      const { one, other, settled } = two(content)
      one.typeOver(gone, '')
      other.typeOver(gone, '')
      one.push()
      other.comeBack()
      const left = content.replace(gone, '')
      expect(settled()).toBe(left)
      const [first, last] = isFirst ? [one, other] : [other, one]
      for (let times = 0; times < 2; times++) {
        first.undo()
        expect(settled()).toBe(isFirst ? content : left)
        last.undo()
        expect(settled()).toBe(content)
        one.redo()
        expect(settled()).toBe(left)
        other.redo()
        expect(settled()).toBe(left)
      }
    }
  })
})
