import { redo, undo } from '@codemirror/commands'
import type { Extension } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { droppedInPlace } from '../dropped-in-place.ts'
import { markdownLanguage } from '../markdown-language.ts'
import { wholeMarks } from '../whole-marks.ts'
import { detachedOf } from './own-suggestions.ts'
import { changeOf, Suggesting } from './testing/suggesting.ts'

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

  test('over lines up to a heading’s words leaves its mark, and goes on before or in that', () => {
    const lines = () => new Suggesting('One.\n\n## Two', [markdownLanguage, wholeMarks]).cursor(0, 9)
    expect(lines().type('X').type('Y').shown).toBe('[-One.][+XY]\n\n## Two')
    const { from, to } = lines().state.selection.main
    const text = lines().delete(from, to)
    expect(text.shown).toBe('[-One.\n\n]## Two')
    expect(text.type('X').shown).toBe('[-One.\n\n]## [+X]Two')
    expect(text.written.at(0)).toEqual({ start: 0, original: 'One.\n\n', suggested: '' })
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

describe('words that are dragged', () => {
  const drag = (doc: string, words: string, to: number, extensions: Extension = []) => {
    const text = new Suggesting(doc, extensions)
    const from = doc.indexOf(words)
    text.cursor(from, from + words.length)
    const changes = text.state.changes([
      { from, to: from + words.length },
      { from: to, insert: words },
    ])
    const selection = { anchor: changes.mapPos(to, -1), head: changes.mapPos(to, 1) }
    text.dispatch({ changes, selection, userEvent: 'move.drop' })
    return text
  }

  test('are taken out where they stood and put in where they go, as two suggestions', () => {
    const text = drag('A quick brown fox.', 'quick ', 14)
    expect(text.shown).toBe('A [-quick ]brown [+quick ]fox.')
    expect(text.written).toEqual([
      { start: 2, original: 'quick ', suggested: '' },
      { start: 14, original: '', suggested: 'quick ' },
    ])
    const { from, to } = text.state.selection.main
    expect(text.state.sliceDoc(from, to)).toBe('quick ')
    expect(drag('One two.\n\nThree.', 'two', 10).written).toHaveLength(2)
  })

  test('within their own word are one', () => {
    expect(drag('A quick fox.', 'qu', 7).written).toEqual([
      { start: 2, original: 'quick', suggested: 'ickqu' },
    ])
  })

  test('to where they stand stay as they are', () => {
    for (const to of [2, 4, 7]) {
      const text = drag('A quick fox.', 'quick', to, droppedInPlace)
      expect(text.shown).toBe('A quick fox.')
      expect(text.state.selection.main).toMatchObject({ from: 2, to: 7 })
    }
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

  test('and redo leave alone what was typed to the same words as before', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('quick')
    for (const step of [undo, redo]) {
      text.step(step)
      expect(text.shown).toBe('A quick fox.')
    }
  })

  test('keeps to one’s own where others have written meanwhile', () => {
    const text = new Suggesting('A quick fox.').cursor(2, 7).type('slow')
    text.others(changeOf(12, 0, 0, 'Look: '))
    text.others(changeOf(18, 10, 10, '!'))
    expect(text.shown).toBe('Look: A qu!ick[+slow] fox.')
    text.step(undo)
    expect(text.shown).toBe('Look: A qu!ick fox.')
  })

  test('takes back what was struck through in one step with what was typed before others wrote', () => {
    const text = new Suggesting('').type('a').cursor(0).type('a').cursor(0, 2).type('a')
    text.others(changeOf(0, 0, 0, '\n\n'))
    text.delete(0, 3)
    expect(text.shown).toBe('[-\n\n]')
    text.others(changeOf(2, 0, 0, 'c'))
    while (text.step(undo));
    expect(text.shown).toBe('c\n\n')
    while (text.step(redo));
    expect(text.shown).toBe('c[-\n\n]')
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
          const { pending } = text
          const accepted = pending[Math.floor(one.at * pending.length)]
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
      // Each in its place they make the text read as it is suggested, but for what has lost its own.
      const apart = text.pending.sort((a, b) => b.start - a.start)
      const isApart = apart.every(
        ({ start, original }, i) => i === 0 || start + original.length <= apart[i - 1]!.start,
      )
      if (isApart && detachedOf(text.state).size === 0) expect(text.accepted).toBe(text.asSuggested)
    }),
    { numRuns: 1_000 },
  )
})
