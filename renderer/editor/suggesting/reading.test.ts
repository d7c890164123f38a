import { history, redo, undo } from '@codemirror/commands'
import { EditorState, type StateCommand, type TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formats } from '../formats.ts'
import { markdownLanguage } from '../markdown-language.ts'
import { breakInCell, editTable, nextCell, nextRow, previousCell } from '../tables/table-commands.ts'
import { tableEdits, type TableEditName } from '../tables/table-edits.ts'
import { continueMarkup, deleteMark, indent, outdent } from '../typing.ts'
import { wholeMarks } from '../whole-marks.ts'
import { editCommands } from './edit-keys.ts'
import { become, ownSuggestions } from './own-suggestions.ts'
import { asItReads, keepMarksAsRead, readingOf } from './reading.ts'
import { Suggesting } from './testing/suggesting.ts'

const language = [markdownLanguage, wholeMarks, keepMarksAsRead]

/** The same text twice: where one suggests, and where one writes. */
class Both {
  readonly suggested: Suggesting
  written: EditorState
  constructor(doc: string) {
    this.suggested = new Suggesting(doc, language)
    this.written = EditorState.create({ doc, extensions: [language, history(), ownSuggestions] })
    const own = this.written.field(ownSuggestions)
    this.written = this.written.update({ effects: become.of({ ...own, isReading: true }) }).state
  }

  select(from: number, to: number): void {
    const reading = readingOf(this.suggested.state)
    const read = (at: number) => reading?.toRead(at) ?? at
    this.suggested.cursor(from, to)
    this.written = this.written.update({ selection: { anchor: read(from), head: read(to) } }).state
  }
  run(command: StateCommand): void {
    const { suggested } = this
    const isDone = asItReads(command)({
      state: suggested.state,
      dispatch: (transaction) => suggested.dispatch(transaction),
    })
    const isWritten = command({ state: this.written, dispatch: ({ state }) => (this.written = state) })
    expect(isDone).toBe(isWritten)
  }
  do(spec: (state: EditorState) => TransactionSpec): void {
    this.suggested.dispatch(spec(this.suggested.state))
    this.written = this.written.update(spec(this.written)).state
  }
  get read(): string {
    return this.suggested.asSuggested
  }
}

const blocks = fc.constantFrom(
  ...['- One\n- Two\n', '- [ ] To do\n- [x] Done\n', '1. One\n2. Two\n   - In it\n3. Three\n', '# Head\n\n'],
  ...['| A | B |\n| --- | --- |\n| one | two |\n\n', 'Some **bold words** here.\n\n', '> Said\n> by her\n\n'],
  ...['A [link](https://example.org) in it.\n\n', '```\ncode\n```\n\n', '\n'],
)
const commands: Record<string, StateCommand> = {
  ...Object.fromEntries(Object.entries(formats).filter(([name]) => name !== 'undo' && name !== 'redo')),
  ...Object.fromEntries((Object.keys(tableEdits) as TableEditName[]).map((name) => [name, editTable(name)])),
  ...{ indent, outdent, continueMarkup, deleteMark, nextCell, previousCell, nextRow, breakInCell },
  ...Object.fromEntries(editCommands.map((command, i) => [`key ${i}`, command])),
}
const place = fc.double({ min: 0, max: 1, noNaN: true })
const act = fc.record({
  at: place,
  length: fc.nat(12),
  what: fc.oneof(
    fc.constantFrom(...Object.keys(commands)),
    fc.constantFrom('type a', 'type  word', 'type 1. ', 'delete'),
  ),
})

test('whatever is done in Suggesting reads as it would where one writes, accepted all the more, and undone is none', () => {
  fc.assert(
    fc.property(
      fc.array(blocks, { minLength: 1, maxLength: 5 }),
      fc.array(act, { maxLength: 12 }),
      (begin, acts) => {
        const document = begin.join('')
        const both = new Both(document)
        for (const { at, length, what } of acts) {
          const from = Math.floor(at * both.suggested.state.doc.length)
          both.select(from, Math.min(both.suggested.state.doc.length, from + length))
          if (what.startsWith('type '))
            both.do((state) => ({ ...state.replaceSelection(what.slice(5)), userEvent: 'input.type' }))
          else if (what === 'delete')
            both.do((state) => ({ ...state.replaceSelection(''), userEvent: 'delete.selection' }))
          else both.run(commands[what]!)
          expect(both.read, what).toBe(both.written.doc.toString())
          expect(both.suggested.document).toBe(document)
          expect(both.suggested.accepted).toBe(both.read)
        }
        while (both.suggested.step(undo));
        expect(both.suggested.shown).toBe(document)
        while (both.suggested.step(redo));
        expect(both.read).toBe(both.written.doc.toString())
      },
    ),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 300) },
  )
})
