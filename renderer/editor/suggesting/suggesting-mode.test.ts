import { redo, undo } from '@codemirror/commands'
import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromElsewhere } from '../own-undo.ts'
import { documentText, toDocument, toEditor } from './stretches.ts'
import { arriving, ownSuggestions, showing, suggestingMode, writtenSuggestions } from './suggesting-mode.ts'

/** An editor’s state in which one suggests. */
class Suggesting {
  state: EditorState
  constructor(doc: string) {
    this.state = EditorState.create({ doc, extensions: suggestingMode(() => undefined) })
  }

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state
  }
  cursor(at: number, head = at): this {
    this.dispatch({ selection: { anchor: at, head } })
    return this
  }
  type(text: string): this {
    this.dispatch({ ...this.state.replaceSelection(text), userEvent: 'input.type' })
    return this
  }
  delete(from: number, to: number, userEvent = 'delete.selection'): this {
    this.dispatch({ changes: { from, to }, selection: { anchor: from }, userEvent })
    return this
  }
  backspace(): this {
    const { head } = this.state.selection.main
    return head === 0 ? this : this.delete(head - 1, head, 'delete.backward')
  }
  others(changes: ChangeSet): this {
    this.dispatch({
      ...arriving(this.state, changes),
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    })
    return this
  }
  step(command: typeof undo): boolean {
    return command({ state: this.state, dispatch: ({ state }) => (this.state = state) })
  }

  get stretches() {
    return this.state.field(ownSuggestions).stretches
  }
  /** The text in the editor, with what is put in as [+…] and what is taken out as [-…]. */
  get shown(): string {
    let shown = ''
    let at = 0
    for (const { from, to, kind } of this.stretches) {
      shown += this.state.sliceDoc(at, from)
      shown += `[${kind === 'put in' ? '+' : '-'}${this.state.sliceDoc(from, to)}]`
      at = to
    }
    return shown + this.state.sliceDoc(at)
  }
  get document(): string {
    const { doc } = this.state
    return documentText(doc, this.stretches, 0, toDocument(this.stretches, doc.length))
  }
  get asSuggested(): string {
    return this.shown.replace(/\[-[^\]]*\]/g, '').replace(/\[\+([^\]]*)\]/g, '$1')
  }
  get written() {
    return [...writtenSuggestions(this.state).values()].map(({ start, original, suggested }) => ({
      ...{ start, original, suggested },
    }))
  }
}

const changeOf = (length: number, from: number, to: number, insert = '') =>
  ChangeSet.of({ from, to, insert }, length)

describe('what is typed', () => {
  test('becomes an insertion, which grows', () => {
    const text = new Suggesting('A quick fox.').cursor(7).type(' brown')
    expect(text.shown).toBe('A quick[+ brown] fox.')
    text.type(',').type(' red')
    expect(text.written).toEqual([{ start: 7, original: '', suggested: ' brown, red' }])
    expect(text.document).toBe('A quick fox.')
  })

  test('over a selection strikes that through and stands behind it', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('s').type('low')
    expect(text.shown).toBe('A [-quick][+slow] fox.')
    expect(text.state.selection.main.head).toBe(11)
    expect(text.written).toEqual([{ start: 2, original: 'quick', suggested: 'slow' }])
  })

  test('within a word suggests another word, however many of its letters change', () => {
    const text = new Suggesting('The colours here.').delete(8, 9)
    expect(text.shown).toBe('The colo[-u]rs here.')
    expect(text.written).toEqual([{ start: 4, original: 'colours', suggested: 'colors' }])
    text.cursor(4, 5).type('C')
    expect(text.written).toEqual([{ start: 4, original: 'colours', suggested: 'Colors' }])
  })

  test('is taken away again without a trace', () => {
    const text = new Suggesting('A fox.').cursor(1).type(' red').backspace().backspace().backspace()
    expect(text.shown).toBe('A[+ ] fox.')
    text.backspace()
    expect(text.shown).toBe('A fox.')
    expect(text.written).toEqual([])
  })

  test('in two places far from each other is two suggestions, which become one where they meet', () => {
    const text = new Suggesting('one two three four').cursor(0, 3).type('1')
    const { length } = text.state.doc
    text.cursor(length - 4, length).type('4')
    expect(text.shown).toBe('[-one][+1] two three [-four][+4]')
    expect(text.written.map(({ suggested }) => suggested)).toEqual(['1', '4'])
    text.delete(4, 15)
    expect(text.written).toEqual([{ start: 0, original: 'one two three four', suggested: '14' }])
  })

  test('around words at once is one suggestion, as when they are made bold', () => {
    const text = new Suggesting('A quick fox.')
    text.dispatch({
      changes: [
        { from: 2, insert: '**' },
        { from: 7, insert: '**' },
      ],
      userEvent: 'input',
    })
    expect(text.shown).toBe('A [+**]quick[+**] fox.')
    expect(text.written).toEqual([{ start: 2, original: 'quick', suggested: '**quick**' }])
  })

  test('by replacing all is a suggestion for each', () => {
    const text = new Suggesting('teh cat and teh dog')
    text.dispatch({
      changes: [
        { from: 0, to: 3, insert: 'the' },
        { from: 12, to: 15, insert: 'the' },
      ],
      userEvent: 'input.replace.all',
    })
    expect(text.written).toEqual([
      { start: 0, original: 'teh', suggested: 'the' },
      { start: 12, original: 'teh', suggested: 'the' },
    ])
  })
})

describe('deleting', () => {
  test('leaves the words struck through, with the cursor before or behind them', () => {
    const text = new Suggesting('A quick fox.').cursor(7)
    for (let i = 0; i < 5; i++) text.backspace()
    expect(text.shown).toBe('A [-quick] fox.')
    expect(text.state.selection.main.head).toBe(2)
    const forth = new Suggesting('A quick fox.').delete(2, 3, 'delete.forward')
    expect(forth.shown).toBe('A [-q]uick fox.')
    expect(forth.state.selection.main.head).toBe(3)
  })

  test('and typing on puts what is new behind it', () => {
    const text = new Suggesting('A quick fox.').cursor(7)
    for (let i = 0; i < 5; i++) text.backspace()
    text.type('s').type('low')
    expect(text.shown).toBe('A [-quick][+slow] fox.')
    expect(text.state.selection.main.head).toBe(11)
    text.cursor(2).type('!')
    expect(text.shown).toBe('A [-quick][+!slow] fox.')
  })

  test('passes over what is struck through already', () => {
    const text = new Suggesting('A quick fox.').delete(2, 7).cursor(7).backspace()
    expect(text.shown).toBe('A[- quick] fox.')
    expect(text.state.selection.main.head).toBe(1)
  })

  test('takes whole characters', () => {
    const text = new Suggesting('Hi 👩‍🚀').delete(3, 8).cursor(8).backspace()
    expect(text.shown).toBe('Hi[- 👩‍🚀]')
  })

  test('a paragraph, and putting in another, are suggestions', () => {
    const text = new Suggesting('One.\n\nTwo.\n\nThree.').delete(6, 12)
    expect(text.written).toEqual([{ start: 6, original: 'Two.\n\n', suggested: '' }])
    text.cursor(4).type('\n\nHalf.')
    expect(text.written[0]).toEqual({ start: 4, original: '', suggested: '\n\nHalf.' })
  })
})

describe('undo', () => {
  test('takes back what was typed and what was struck through, and redo does it again', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    expect(text.step(undo)).toBe(true)
    expect(text.shown).toBe('A quick fox.')
    text.step(redo)
    expect(text.shown).toBe('A [-quick][+slow] fox.')
  })

  test('keeps to one’s own where others have written meanwhile', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    text.others(changeOf(12, 0, 0, 'Look: '))
    text.others(changeOf(18, 10, 10, '!'))
    expect(text.shown).toBe('Look: A [-qu]![-ick][+slow] fox.')
    text.step(undo)
    expect(text.shown).toBe('Look: A qu!ick fox.')
  })
})

describe('what comes from elsewhere', () => {
  test('that makes a suggestion, as its acceptance does, ends it', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    text.others(changeOf(12, 2, 7, 'slow'))
    expect(text.shown).toBe('A slow fox.')
  })

  test('that accepts what was sent of a suggestion leaves what was typed since, behind it', () => {
    const cases: [string, (text: Suggesting) => void, { original: string; suggested: string }, string][] = [
      ['One two three.', (text) => text.cursor(7).type(' abc'), { original: '', suggested: ' abc' }, ' abc'],
      ['One two three.', (text) => text.cursor(4, 7).type('2'), { original: 'two', suggested: '2' }, '2'],
      ['One two three.', (text) => text.cursor(7).type('X'), { original: 'two', suggested: 'twoX' }, 'twoX'],
    ]
    for (const [content, begin, sent, words] of cases) {
      const text = new Suggesting(content)
      begin(text)
      const { start } = text.written[0]!
      text.type('defg')
      const accepted = changeOf(content.length, start, start + sent.original.length, words)
      text.dispatch({
        ...arriving(text.state, accepted, () => [sent]),
        annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
      })
      const document = content.slice(0, start) + words + content.slice(start + sent.original.length)
      expect(text.document).toBe(document)
      expect(text.asSuggested).toBe(
        document.slice(0, start) + words + 'defg' + document.slice(start + words.length),
      )
    }
  })

  test('shows suggestions of one’s own, and takes away what is none any more', () => {
    const text = new Suggesting('A quick fox.')
    text.dispatch(showing(text.state, [{ key: 3, pieces: [{ from: 2, to: 7, insert: 'slow' }] }], []))
    text.dispatch(showing(text.state, [{ key: 5, pieces: [{ from: 11, to: 11, insert: 'es' }] }], []))
    expect(text.shown).toBe('A [-quick][+slow] fox[+es].')
    text.dispatch(showing(text.state, [], [3]))
    expect(text.shown).toBe('A quick fox[+es].')
    text.cursor(text.state.doc.length).type('!')
    expect(text.stretches.map(({ key }) => key)).toEqual([5, 6])
  })
})

const words = fc.constantFrom('a', 'Ende', ' ', 'word ', '\n', '\n\n', '🦊', '**', 'é', ', ')

test('whatever is typed, undone and comes from elsewhere, the document stays what it is', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const act = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('type' as const), at: place, to: place, text: words }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place, to: place }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), at: place }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('others' as const), at: place, to: place, text: words }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('accept' as const), at: place }) },
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.array(act, { maxLength: 40 }), (begin, acts) => {
      let document = begin.join('')
      const text = new Suggesting(document)
      for (const one of acts) {
        const { length } = text.state.doc
        if (one.kind === 'type' || one.kind === 'delete') {
          const from = Math.floor(one.at * length)
          const to = Math.min(length, from + Math.floor(one.to * 8))
          if (one.kind === 'type') text.cursor(from, to).type(one.text)
          else text.delete(from, to)
        } else if (one.kind === 'back') text.cursor(Math.floor(one.at * length)).backspace()
        else if (one.kind === 'others') {
          const from = Math.floor(one.at * document.length)
          const to = Math.min(document.length, from + Math.floor(one.to * 8))
          const changes = changeOf(document.length, from, to, one.text)
          document = document.slice(0, from) + one.text + document.slice(to)
          text.others(changes)
        } else if (one.kind === 'accept') {
          const all = text.written
          const accepted = all[Math.floor(one.at * all.length)]
          if (!accepted) continue
          const { start, original, suggested } = accepted
          expect(document.slice(start, start + original.length)).toBe(original)
          const end = start + original.length
          const changes = changeOf(document.length, start, end, suggested)
          document = document.slice(0, start) + suggested + document.slice(end)
          text.others(changes)
        } else text.step(one.kind === 'undo' ? undo : redo)
        expect(text.document).toBe(document)
      }
      // Each in its place, from the last to the first, they make the text read as it is suggested.
      const apart = text.written.sort((a, b) => b.start - a.start)
      const isApart = apart.every(
        ({ start, original }, i) => i === 0 || start + original.length <= apart[i - 1]!.start,
      )
      if (!isApart) return
      const made = apart.reduce(
        (content, { start, original, suggested }) =>
          content.slice(0, start) + suggested + content.slice(start + original.length),
        document,
      )
      const { doc } = text.state
      const suggested = text.stretches.reduceRight(
        (content, { from, to, kind }) =>
          kind === 'put in' ? content : content.slice(0, from) + content.slice(to),
        doc.toString(),
      )
      expect(made).toBe(suggested)
    }),
    { numRuns: 1_000 },
  )
})

test('places of the document and of the editor are each other’s', () => {
  const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow').cursor(1).type('!!')
  for (let at = 0; at <= 12; at++) {
    for (const side of [-1, 1] as const)
      expect(toDocument(text.stretches, toEditor(text.stretches, at, side))).toBe(at)
  }
})
