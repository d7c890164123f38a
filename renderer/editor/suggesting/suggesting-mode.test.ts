import { redo, undo } from '@codemirror/commands'
import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromElsewhere } from '../own-undo.ts'
import { documentText, toDocument, toEditor, type WrittenSuggestion } from './stretches.ts'
import { arriving } from './arriving-changes.ts'
import { attached, detachedOf, isSent, ownSuggestions, writtenSuggestions } from './own-suggestions.ts'
import { emptied, rejecting, showing } from './shown-suggestions.ts'
import { suggestingMode } from './suggesting-mode.ts'

/** An editor’s state in which one suggests. */
class Suggesting {
  state: EditorState
  constructor(doc: string) {
    this.state = EditorState.create({ doc, extensions: suggestingMode(() => undefined) })
  }

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state
    const empty = emptied(this.state)
    if (empty) this.state = this.state.update(empty).state
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

  test('to the same words as before suggests nothing, and leaves no trace', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('quic')
    expect(text.shown).toBe('A [-quick][+quic] fox.')
    text.type('k')
    expect(text.shown).toBe('A quick fox.')
    expect(text.state.selection.main.head).toBe(7)
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

describe('where others take out all around what is suggested', () => {
  test('what is put in stands for itself, and its author goes on in it', () => {
    const text = new Suggesting('One.\n\nA quick fox.\n\nThree.').cursor(13).type(' brown')
    text.others(changeOf(26, 6, 20))
    expect(text.shown).toBe('One.\n\n[+ brown]Three.')
    const [key] = [...detachedOf(text.state).keys()]
    expect(detachedOf(text.state).get(key!)).toMatchObject({ original: '', anchor: { exact: '', start: 13 } })
    text.type(' red')
    expect(text.shown).toBe('One.\n\n[+ brown red]Three.')
    expect(text.written).toEqual([{ start: 13, original: '', suggested: ' brown red' }])
    // Beside it another begins, which is of the document.
    text.delete(16, 17, 'delete.forward')
    expect(text.shown).toBe('One.\n\n[+ brown red][-T]hree.')
    expect(text.written).toEqual([
      { start: 13, original: '', suggested: ' brown red' },
      { start: 6, original: 'Three', suggested: 'hree' },
    ])
    // Until its author says so it is for nowhere else.
    text.dispatch(attached(key!))
    expect(detachedOf(text.state).size).toBe(0)
    expect(text.written[0]).toMatchObject({ start: 6, original: '', suggested: ' brown red' })
  })

  test('what was to replace words keeps all of its own', () => {
    const text = new Suggesting('A quick fox. Two.').cursor(7).type('er').cursor(10, 13).type('dog')
    text.dispatch({ changes: [{ from: 9, to: 10, insert: '-' }], userEvent: 'input' })
    expect(text.shown).toBe('A quick[+er][- ][+-][-fox][+dog]. Two.')
    text.others(changeOf(17, 0, 13))
    expect(text.written).toEqual([{ start: 2, original: 'quick fox', suggested: 'quicker-dog' }])
    expect(text.shown).toBe('[+quicker-dog]Two.')
    expect(text.document).toBe('Two.')
  })

  test('what others put there stays apart from it, and what was replaced by another is not put in twice', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    text.others(changeOf(12, 2, 7, 'fast'))
    expect(text.document).toBe('A fast fox.')
    expect(detachedOf(text.state).size).toBe(1)
    expect(text.written).toEqual([{ start: 2, original: 'quick', suggested: 'slow' }])
  })
})

describe('what is rejected while its author goes on', () => {
  const sent = (text: Suggesting) => {
    const [{ key, original, suggested }] = [...writtenSuggestions(text.state).values()] as [WrittenSuggestion]
    const words = { original, suggested }
    text.dispatch(isSent(key, words))
    return { key, words }
  }
  const reject = (text: Suggesting, { key, words }: ReturnType<typeof sent>) => {
    const rejected = rejecting(text.state, key, words)!
    text.dispatch(rejected.spec)
    return rejected.leaves
  }

  test('leaves only what was typed since', () => {
    const text = new Suggesting('A quick fox.').cursor(7).type(' brown')
    const first = sent(text)
    text.type(' and red')
    expect(reject(text, first)).toBe(true)
    expect(text.shown).toBe('A quick[+ and red] fox.')
    expect(text.written).toEqual([{ start: 7, original: '', suggested: ' and red' }])
  })

  test('gives back the words it took out, also where more was typed in the middle of it', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slw')
    const first = sent(text)
    text.cursor(9).type('o')
    text.delete(12, 15)
    expect(text.shown).toBe('A [-quick][+slow] [-fox].')
    expect(reject(text, first)).toBe(true)
    expect(text.shown).toBe('A quick[+o] [-fox].')
  })

  test('leaves nothing where nothing was typed since', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    const first = sent(text)
    expect(reject(text, first)).toBe(false)
    expect(text.shown).toBe('A quick fox.')
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
        ...arriving(text.state, accepted, { sentWords: () => [sent], revision: () => 2 }),
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
          const all = [...writtenSuggestions(text.state).values()].filter(
            ({ key }) => !detachedOf(text.state).has(key),
          )
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
      const detached = detachedOf(text.state)
      const apart = [...writtenSuggestions(text.state).values()]
        .filter(({ key }) => !detached.has(key))
        .sort((a, b) => b.start - a.start)
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
        (content, { from, to, kind, key }) =>
          kind === 'put in' && !detached.has(key) ? content : content.slice(0, from) + content.slice(to),
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
      const { state } = this.people[who]!
      return [...writtenSuggestions(state).values()].filter(({ key }) => !detachedOf(state).has(key))
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
