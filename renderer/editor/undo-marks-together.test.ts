import { isolateHistory } from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { toggleInline } from './inline-formatting.ts'
import { keepEmphasis } from './keep-emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'
import { TestCompany, type CompanyWriter } from './testing/company.ts'
import { wholeMarks } from './whole-marks.ts'

const bold = toggleInline('**')

const company = (text: string, count: number) =>
  new TestCompany(text, count, [markdownLanguage, keepEmphasis, wholeMarks])

function mark(writer: CompanyWriter, from: number, to: number, command: StateCommand = bold): void {
  writer.do({ selection: { anchor: from, head: to }, annotations: isolateHistory.of('full') })
  command({ state: writer.state, dispatch: (transaction) => writer.take(transaction) })
  writer.do({ selection: { anchor: 0 }, userEvent: 'select' })
}

const readersSee = (markdown: string) =>
  renderMarkdown(markdown)
    .html.replace(/<[^>]*>/g, '')
    .replace(/\s/g, '')
const bare = (text: string) => text.replace(/[\s*]/g, '')

describe('marks to which two have put a half each', () => {
  function joined() {
    const together = company('ab cd ef', 2)
    const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
    mark(one, 3, 4)
    together.settle()
    mark(other, 0, 7)
    together.settle()
    expect(together.content).toBe('**ab c**d ef')
    const after = (writer: CompanyWriter, what: 'undo' | 'redo') => {
      writer[what]()
      together.settle()
      return together.content
    }
    return { one, other, after }
  }

  it('stay when somebody else goes on', () => {
    const together = company('ab cd ef', 2)
    const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
    mark(one, 1, 4)
    together.settle()
    mark(other, 6, together.content.length)
    together.settle()
    expect(together.content).toBe('a**b cd ef**')
  })

  it('go whole when either half is undone, and come back whole', () => {
    const { one, other, after } = joined()
    for (let times = 0; times < 2; times++) {
      expect(after(one, 'undo')).toBe('ab cd ef')
      expect(after(one, 'redo')).toBe('**ab c**d ef')
      expect(after(other, 'undo')).toBe('ab **c**d ef')
      expect(after(other, 'redo')).toBe('**ab c**d ef')
    }
    after(one, 'undo')
    expect(after(other, 'undo')).toBe('ab cd ef')
  })
})

it('white space that undo leaves at the inner side of another’s marks goes to the outer one', () => {
  const together = company('alpha echo', 3)
  const [one, other, third] = together.writers as [CompanyWriter, CompanyWriter, CompanyWriter]
  one.replace(5, 5, ' bravo delta')
  together.settle()
  mark(other, 6, 17)
  together.settle()
  third.typeAfter('bravo', ' ooo')
  together.settle()
  const all = 'alpha **bravo ooo delta** echo'
  for (let times = 0; times < 2; times++) {
    expect(together.content).toBe(all)
    one.undo()
    together.settle()
    expect(together.content.replace(/ +/g, ' ')).toBe('alpha **ooo** echo')
    one.redo()
    together.settle()
  }
  third.undo()
  together.settle()
  expect(together.content).toBe('alpha **bravo delta** echo')
  other.undo()
  together.settle()
  expect(together.content).toBe('alpha bravo delta echo')
})

it('signs that were typed by hand and mean nothing stay as they are', () => {
  const together = company('ab cd', 2)
  const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
  one.replace(2, 2, ' ** 2')
  together.settle()
  other.replace(0, 0, 'x ')
  together.settle()
  one.undo()
  one.redo()
  other.undo()
  together.settle()
  expect(together.content).toBe('ab ** 2 cd')
})

it('no half is left for readers, in whichever order words and marks are undone and redone', () => {
  for (const [from, to] of [
    [0, 7],
    [3, 12],
    [6, 14],
    [1, 10],
  ] as const)
    for (let order = 0; order < 16; order++) {
      const together = company('alpha echo', 3)
      const [one, other, third] = together.writers as [CompanyWriter, CompanyWriter, CompanyWriter]
      one.replace(5, 5, ' bravo delta')
      together.settle()
      mark(other, 6, 17)
      together.settle()
      third.typeAfter('bravo', ' ooo')
      together.settle()
      mark(third, from, to)
      together.settle()
      for (let bits = order; bits > 0; bits >>= 2) {
        const [writer, what] = [
          [one, 'undo'],
          [other, 'undo'],
          [third, 'undo'],
          [one, 'redo'],
        ][bits & 3] as [CompanyWriter, 'undo' | 'redo']
        writer[what]()
        together.settle()
        expect(readersSee(together.content), together.content).toBe(bare(together.content))
      }
      for (const writer of [third, one, other]) {
        while (writer.undo()) together.settle()
        expect(readersSee(together.content), together.content).toBe(bare(together.content))
      }
    }
})

it('marks that come back mean something in what others have marked meanwhile', () => {
  const together = company('ab c d ef', 2)
  const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
  mark(one, 1, 8)
  together.settle()
  one.undo()
  together.settle()
  mark(other, 3, 6, toggleInline('*'))
  together.settle()
  one.redo()
  together.settle()
  expect(readersSee(together.content), together.content).toBe('abcdef')
})

it('marks that words come back beside stay whole', () => {
  for (const at of [2, 3, 5, 6, 8])
    for (const put of ['h ', ' h', ' h '])
      for (let from = 0; from < 8; from++)
        for (const to of [from + 3, from + 5]) {
          const together = company('ab cd ef', 2)
          const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
          one.replace(at, at, put)
          together.settle()
          one.undo()
          together.settle()
          mark(other, from, Math.min(to, together.content.length))
          together.settle()
          for (const [writer, what] of [
            [one, 'redo'],
            [one, 'undo'],
            [one, 'redo'],
          ] as const) {
            writer[what]()
            together.settle()
            expect(readersSee(together.content), together.content).toBe(bare(together.content))
          }
        }
})
