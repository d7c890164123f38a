import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestCompany } from './testing/company.ts'
import { twoWriters as two } from './testing/two-writers.ts'
import { FollowedUndo } from './undo-beside.ts'

const base = 'The quick brown fox'

/** Has somebody replace all of a letter at once. */
function replaceAll(writer: TestCompany['writers'][0], letter: string, insert: string) {
  const changes = [...writer.text].flatMap((one, from) =>
    one === letter ? [{ from, to: from + 1, insert }] : [],
  )
  writer.do({ changes, userEvent: 'input.replace.all' })
}

describe('words that another has taken out and put back', () => {
  it.each([
    ['quick', ' wheeled', 'e', 'Q'],
    ['quick', ' eel', 'e', 'Q'],
    ['quick', 'ee', 'e', 'Q'],
    ['quick', ' wheeled', 'e', ''],
    ['The', 'e', 'e', 'xy'],
  ])('go and come whole with undo and redo: after %j %j, %j → %j', (after, put, letter, insert) => {
    const { one, other, settled } = two(base)
    one.typeAfter(after, put)
    const written = settled()
    replaceAll(other, letter, insert)
    settled()
    other.undo()
    expect(settled()).toBe(written)
    for (let times = 0; times < 2; times++) {
      one.undo()
      expect(settled()).toBe(base)
      one.redo()
      expect(settled()).toBe(written)
    }
  })

  it('go whole where they went letter by letter, also with what stood beside them', () => {
    const { one, other, settled } = two(base)
    one.typeAfter('quick', ' wheeled')
    const written = settled()
    for (let i = 0; i < 6; i++) {
      const at = other.text.indexOf(' brown') - 1
      other.do({ changes: { from: at, to: at + 1 }, userEvent: 'delete.backward' })
      settled()
    }
    const at = other.text.indexOf(' brown')
    other.do({ changes: { from: at, to: at + 3 }, userEvent: 'delete.forward' })
    settled()
    while (other.undo());
    expect(settled()).toBe(written)
    one.undo()
    expect(settled()).toBe(base)
    one.redo()
    expect(settled()).toBe(written)
  })

  it('go with what was written with them only', () => {
    const { one, other, settled } = two(base)
    one.typeAfter('quick', ' green')
    one.typeAfter('green', 'erey')
    const written = settled()
    replaceAll(other, 'e', 'Q')
    settled()
    other.undo()
    expect(settled()).toBe(written)
    one.undo()
    expect(settled()).toBe('The quick green brown fox')
    one.undo()
    expect(settled()).toBe(base)
    one.redo()
    one.redo()
    expect(settled()).toBe(written)
  })

  it('stay where somebody else put the same elsewhere', () => {
    const { one, other, settled } = two(base)
    one.typeAfter('quick', ' wheeled')
    settled()
    other.typeOver('wheeled', '')
    settled()
    other.typeAfter('fox', ' wheeled')
    settled()
    one.undo()
    expect(settled()).toBe(`${base} wheeled`)
  })

  it('can be undone once they are back, and not while nothing of them is there', () => {
    const { one, other, settled } = two(base)
    const isUndoable = () => {
      let now = { undo: false, redo: false }
      new FollowedUndo().follow(one.state, (said) => (now = said))
      return now.undo
    }
    one.typeAfter('quick', ' red')
    settled()
    expect(isUndoable()).toBe(true)
    other.typeOver(' red', '')
    settled()
    expect(isUndoable()).toBe(false)
    other.undo()
    settled()
    expect(isUndoable()).toBe(true)
  })

  it('are never torn, whatever the other took out, wrote there and undid', () => {
    const doing = fc.record({
      at: fc.nat(30),
      length: fc.nat(6),
      put: fc.constantFrom('', '', 'Q', 'XY'),
      undoes: fc.nat(3).map((one) => one === 0),
    })
    const places = fc.uniqueArray(fc.constantFrom('n', 'w', 'h', ' '), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(places, fc.array(doing, { minLength: 1, maxLength: 5 }), (before, doings) => {
        const { one, other, settled } = two('one two three')
        for (const [i, letter] of before.entries()) {
          const at = one.text.indexOf(letter)
          one.replace(at, at, 'ABC'.charAt(i).repeat(4))
        }
        const written = settled()
        for (const { at, length, put, undoes } of doings) {
          const from = Math.min(at, other.text.length)
          if (undoes) other.undo()
          else other.replace(from, Math.min(other.text.length, from + length), put)
          settled()
        }
        while (other.undo()) settled()
        expect(settled()).toBe(written)
        const isWhole = () => expect(settled().replaceAll(/A{4}|B{4}|C{4}/g, '')).toBe('one two three')
        for (let times = 0; times < 2; times++) {
          while (one.undo()) isWhole()
          expect(settled()).toBe('one two three')
          while (one.redo()) isWhole()
          expect(settled()).toBe(written)
        }
      }),
      { numRuns: 200 },
    )
  })
})
