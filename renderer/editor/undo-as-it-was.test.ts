import { insertNewline, isolateHistory } from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  toggleBulletList,
  toggleCode,
  toggleHeading,
  toggleLink,
  toggleOrderedList,
  toggleQuote,
  toggleTaskList,
} from './formatting.ts'
import { toggleInline } from './inline-formatting.ts'
import { keepEmphasis } from './keep-emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'
import { moveLinesDown, moveLinesUp } from './move-lines.ts'
import { TestCompany, type CompanyWriter } from './testing/company.ts'
import { undoDepth } from './weave/history.ts'
import { continueMarkup, indent, outdent } from './typing.ts'
import { wholeMarks } from './whole-marks.ts'

const texts = [
  'alpha bravo charlie delta echo',
  'some **bold words** and *it* here',
  'One line here.\n\nAnother of words.\n\nA third, too.\n\nAnd the last.',
  '- first item\n- second item\n  - inner one\n- third item\n\nWords behind.',
  '1. one here\n2. two there\n3. three\n\n> quoted words\n> in lines\n\n# A heading\n\nText `code` and [a link](http://a).',
]

const enter: StateCommand = (target) => continueMarkup(target) || insertNewline(target)

const onWords = {
  bold: toggleInline('**'),
  italic: toggleInline('*'),
  strike: toggleInline('~~'),
  code: toggleCode,
  link: toggleLink,
}
const onLines = {
  heading: toggleHeading(2),
  bullets: toggleBulletList,
  numbers: toggleOrderedList,
  tasks: toggleTaskList,
  quote: toggleQuote,
  up: moveLinesUp,
  down: moveLinesDown,
  in: indent,
  out: outdent,
}
type Command = keyof typeof onWords | keyof typeof onLines
const commands: Record<Command, StateCommand> = { ...onWords, ...onLines }

interface Step {
  kind: Command | 'type' | 'replace' | 'delete' | 'enter' | 'paragraph' | 'cut paragraph'
  /** Where, of the text’s words. */
  at: number
  /** How many words, or times. */
  count: number
  /** Whether the white space beside goes, too. */
  isWide: boolean
  word: string
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['type', 'replace', 'delete', 'replace', 'delete', 'enter', 'paragraph', 'cut paragraph'] as const),
    ...(Object.keys(commands) as Command[]),
  ),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  count: fc.integer({ min: 1, max: 4 }),
  isWide: fc.boolean(),
  word: fc.constantFrom('one', ' two', 'three ', 'x', ' four five '),
})

/** Letter by letter, wherever what the editor does besides has moved the cursor. */
function write(writer: CompanyWriter, from: number, to: number, letters: string): void {
  writer.do({ selection: { anchor: from, head: to }, annotations: isolateHistory.of('full') })
  const userEvent = letters === '' ? 'delete.selection' : 'input.type'
  for (const letter of letters === '' ? [''] : letters)
    writer.do({ ...writer.state.replaceSelection(letter), userEvent })
}

/** Does it, and answers how many steps of the history that is. */
function take(writer: CompanyWriter, { kind, at, count, isWide, word }: Step): number {
  const { text } = writer
  const words = [...text.matchAll(/\p{L}[\p{L}.,]*/gu)].map(({ 0: one, index }) => ({
    from: index,
    to: index + one.length,
  }))
  const first = Math.floor(at * words.length)
  const [from, to] =
    words.length > 0 ? [words[first]!.from, words[Math.min(first + count, words.length) - 1]!.to] : [0, 0]
  const before = undoDepth(writer.state)
  writer.do({ selection: { anchor: from, head: to }, annotations: isolateHistory.of('full') })
  const run = (command: StateCommand) =>
    command({ state: writer.state, dispatch: (transaction) => writer.take(transaction) })
  const paragraph = () => {
    const start = text.lastIndexOf('\n\n', from)
    const end = text.indexOf('\n\n', from)
    return { start: start < 0 ? 0 : start + 2, end: end < 0 ? text.length : end }
  }
  if (kind === 'type') write(writer, from, from, word)
  // The same letters again are no change that could be told from none.
  else if (kind === 'replace') write(writer, from, to, text.slice(from, to) === word ? `${word}y` : word)
  else if (kind === 'delete') write(writer, from, isWide && text[to] === ' ' ? to + 1 : to, '')
  else if (kind === 'paragraph') {
    const { end } = paragraph()
    write(writer, end, end, `\n\n${word.trim()}`)
  } else if (kind === 'cut paragraph') {
    const { start, end } = paragraph()
    if (start < end) write(writer, start, isWide ? Math.min(text.length, end + 2) : end, '')
  } else if (kind === 'enter') {
    writer.do({ selection: { anchor: isWide ? from : to } })
    for (let times = 0; times < (count > 2 ? 2 : 1); times++) run(enter)
  } else run(commands[kind])
  if (kind === 'link') {
    const { head } = writer.state.selection.main
    if (writer.state.sliceDoc(head - 1, head + 1) === '()')
      writer.do({ ...writer.state.replaceSelection('http://b'), userEvent: 'input.paste' })
  }
  writer.do({ selection: { anchor: 0 }, userEvent: 'select' })
  return undoDepth(writer.state) - before
}

/** Each does something, one after the other; `times` says in how many steps. */
function begin(text: string, doings: readonly ((writer: CompanyWriter) => number)[]) {
  const together = new TestCompany(text, doings.length, [markdownLanguage, keepEmphasis, wholeMarks])
  const settled = () => {
    together.settle()
    for (const one of together.writers) expect(one.text).toBe(together.content)
    return together.content
  }
  const stood = [text]
  const times = doings.map((doing, i) => {
    const steps = doing(together.writers[i]!)
    stood.push(settled())
    return steps
  })
  const after = (writer: number, what: 'undo' | 'redo') => {
    for (let time = 0; time < times[writer]!; time++) together.writers[writer]![what]()
    return settled()
  }
  return { stood, after, writers: together.writers }
}

/** What was done last is taken back first, and what was done first is done again first. */
function expectBackAndForth({ stood, after, writers }: ReturnType<typeof begin>): void {
  for (const i of writers.keys().toArray().reverse()) expect(after(i, 'undo')).toBe(stood[i])
  for (const i of writers.keys()) expect(after(i, 'redo')).toBe(stood[i + 1])
}

const doing =
  (kind: Step['kind'], at: number, count = 1, more: Partial<Step> = {}) =>
  (writer: CompanyWriter) =>
    take(writer, { ...{ kind, at, count, isWide: false, word: 'one' }, ...more })

const five = 'alpha bravo charlie delta echo'
const wide = { isWide: true }
const two = { word: 'two' }

describe('undo where others have taken back what they did is as if they had never done it', () => {
  it.each([
    ['code', 'some **bold words** and *it* here', doing('code', 0, 6), doing('code', 0, 6)],
    ['words beside', five, doing('delete', 0, 1, wide), doing('delete', 0, 3, wide)],
    ['words written over', five, doing('replace', 0.2, 3), doing('delete', 0, 3)],
    ['words written over twice', five, doing('replace', 0.2), doing('replace', 0.2, 1, two)],
    ['an item', five, doing('bullets', 0), doing('replace', 0, 1, two)],
    ['a heading', five, doing('heading', 0), doing('delete', 0)],
    ['a quote', five, doing('quote', 0), doing('replace', 0, 1, two)],
    ['new lines', five, doing('enter', 0.8, 3), doing('replace', 0.8, 1, two)],
  ])('%s', (_what, text, ...doings) => expectBackAndForth(begin(text, doings)))

  it.each([2, 3])(
    'whatever %i do',
    (count) => {
      const all = fc.array(step, { minLength: count, maxLength: count })
      fc.assert(
        fc.property(fc.constantFrom(...texts), all, (text, steps) =>
          expectBackAndForth(
            begin(
              text,
              steps.map((one) => (writer: CompanyWriter) => take(writer, one)),
            ),
          ),
        ),
        { numRuns: 100 },
      )
    },
    120_000,
  )

  it('also letter by letter, and with others’ changes in between', () => {
    const { stood, after, writers } = begin(five, [
      doing('replace', 0.2),
      doing('type', 0.5, 1, { word: 'four five ' }),
      doing('delete', 0, 4),
    ])
    for (let times = 0; times < 3; times++) {
      expect(after(2, 'undo')).toBe(stood[2])
      expect(after(2, 'redo')).toBe(stood[3])
    }
    const [first] = writers as [CompanyWriter]
    first.do({ selection: { anchor: first.text.length } })
    expect(after(2, 'undo')).toBe(stood[2])
    expect(after(1, 'undo')).toBe(stood[1])
    expect(first.state.selection.main.head).toBe(first.text.length)
    expect(after(0, 'undo')).toBe(stood[0])
  })
})

describe('what one has done alone', () => {
  it('comes back as it stood, whatever it means', () => {
    const breakWithin = (writer: CompanyWriter) => {
      writer.do({ selection: { anchor: 'some **bold words'.length } })
      for (let times = 0; times < 2; times++)
        insertNewline({ state: writer.state, dispatch: (transaction) => writer.take(transaction) })
      return 2
    }
    const { stood, after } = begin('some **bold words** and', [breakWithin])
    expect(stood[1]).toBe('some **bold words\n\n** and')
    expect(after(0, 'undo')).toBe(stood[0])
    expect(after(0, 'redo')).toBe(stood[1])
  })
})

describe('the mark of a line of which another has written the first word', () => {
  it.each(['bullets', 'numbers', 'tasks', 'heading', 'quote'] as const)(
    'goes with its own undo: %s',
    (kind) => {
      for (const written of [doing('replace', 0.2, 1, two), doing('delete', 0.2)]) {
        const { stood, after } = begin(`first\n\n${five}`, [doing(kind, 0.2), written])
        expect(after(0, 'undo')).not.toMatch(/^[-\d#>]/m)
        expect(after(1, 'undo')).toBe(stood[0])
      }
      const { stood, after } = begin(`first\n\n${five}`, [doing('replace', 0.2, 1, two), doing(kind, 0.2)])
      after(0, 'undo')
      expect(after(1, 'undo')).toBe(stood[0])
    },
  )
})
