import { moveLineDown, moveLineUp } from '@codemirror/commands'
import { EditorSelection } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { TestCompany } from './testing/company.ts'

const mixed = 'one\r\ntwo\rthree\nfour\r\n\rfive'

/** Two who write in one text. */
function two(content: string) {
  const company = new TestCompany(content, 2)
  const [one, other] = [company.writers[0]!, company.writers[1]!]
  return { company, one, other, stored: () => one.open.text.stored }
}

const move = (writer: TestCompany['writers'][0], at: number, way: 'up' | 'down') => {
  writer.do({ selection: EditorSelection.cursor(at) })
  const command = way === 'up' ? moveLineUp : moveLineDown
  command({ state: writer.state, dispatch: (transaction) => writer.take(transaction) })
}

describe('the ends of lines', () => {
  it.each([mixed, 'a\r\nb\r\nc\r\n', 'a\rb\rc', '\uFEFF\r\n\r\n\n'])(
    'come back with all of the text, also once the server has heard that it is gone: %j',
    (content) => {
      const { company, one, other, stored } = two(content)
      one.replace(0, one.text.length, '')
      company.settle()
      expect(company.content).toBe('')
      one.undo()
      expect(stored()).toBe(content)
      one.redo()
      one.undo()
      company.settle()
      expect(company.content).toBe(content)
      expect(other.open.text.stored).toBe(content)
    },
  )

  it('are as they were where all of the text was taken out and is written anew', () => {
    const { one, stored } = two('a\r\nb')
    one.replace(0, 3, '')
    one.replace(0, 0, 'x\ny')
    expect(stored()).toBe('x\r\ny')
    one.replace(0, 3, 'z\n')
    expect(stored()).toBe('z\r\n')
  })

  it('that would become one come back as they were', () => {
    const { one, stored } = two('a\rb\nc')
    one.replace(2, 3, '')
    expect(stored()).toBe('a\n\nc')
    one.undo()
    expect(stored()).toBe('a\rb\nc')
  })

  it('come back around what somebody else has written meanwhile', () => {
    const { company, one, other } = two('a\rb\r\nc\nd')
    one.replace(2, 6, '')
    company.settle()
    other.typeAfter('a', ' x\ny')
    company.settle()
    one.undo()
    company.settle()
    expect(company.content).toBe('a x\ry\rb\r\nc\nd')
  })

  it.each<[string, number, 'up' | 'down', string]>([
    ['one\r\ntwo\rthree\nfour', 4, 'down', 'one\r\nthree\ntwo\rfour'],
    ['one\r\ntwo\rthree\nfour', 4, 'up', 'two\rone\r\nthree\nfour'],
    // The last line has none, and takes one where it isn’t the last any more.
    ['one\r\ntwo\rthree\nfour', 16, 'up', 'one\r\ntwo\rfour\nthree'],
  ])('go with lines that are moved: %j, %i, %s', (content, at, way, expected) => {
    const { one, stored } = two(content)
    move(one, at, way)
    expect(stored()).toBe(expected)
    one.undo()
    expect(stored()).toBe(content)
    one.redo()
    expect(stored()).toBe(expected)
  })
})

const place = fc.double({ min: 0, max: 1, noNaN: true })
const doing = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place, length: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      at: place,
      length: fc.nat(3),
      text: fc.constantFrom('x', '\n', 'y\nz', '\n\n'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      at: place,
      way: fc.constantFrom('up' as const, 'down' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('settle' as const, 'other' as const) }) },
)
const content = fc
  .array(fc.constantFrom('a', 'word', ' ', '\n', '\r', '\r\n', '😀'), { maxLength: 14 })
  .map((parts) => parts.join(''))

test('whatever is deleted, written and moved, undo and redo give back the text byte for byte', () => {
  fc.assert(
    fc.property(content, fc.array(doing, { maxLength: 12 }), fc.boolean(), (begin, doings, areApart) => {
      const { company, one, other, stored } = two(`${begin}|`)
      const states = [stored()]
      const tail = () => company.content.split('|').at(-1)!
      for (const what of doings) {
        const length = one.text.indexOf('|')
        if (!('at' in what)) {
          company.settle()
          if (what.kind === 'settle') continue
          other.replace(other.text.length, other.text.length, 'Z')
          company.settle()
        } else {
          const from = Math.floor(what.at * length)
          if (what.kind === 'move') {
            // Not the last line, which the other writes in.
            const line = one.state.doc.lineAt(from)
            if (line.number + 1 < one.state.doc.lines) move(one, from, what.way)
          } else {
            const to = Math.min(length, from + what.length)
            const text = what.kind === 'write' ? what.text : ''
            if (areApart) one.replace(from, to, text)
            else one.do({ changes: { from, to, insert: text }, userEvent: 'input.type' })
          }
          states.push(stored())
        }
      }
      company.settle()
      const cut = (text: string) => text.slice(0, text.indexOf('|'))
      const seen = states.map(cut).filter((text, i, all) => text !== all[i - 1])
      const end = tail()
      const walk = (step: () => boolean) => {
        const walked = [cut(stored())]
        while (step()) {
          company.settle()
          if (cut(stored()) !== walked.at(-1)) walked.push(cut(stored()))
        }
        return walked
      }
      const back = walk(() => one.undo())
      expect(back.at(-1)).toBe(seen[0])
      if (areApart) expect(back.toReversed()).toEqual(seen)
      expect(walk(() => one.redo())).toEqual(back.toReversed())
      expect(walk(() => one.undo())).toEqual(back)
      expect(tail()).toBe(end)
    }),
    { numRuns: 300 },
  )
})
