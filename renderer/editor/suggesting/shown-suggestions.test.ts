import { describe, expect, test } from 'vitest'
import { isSent, writtenSuggestions } from './own-suggestions.ts'
import { rejecting, showing } from './shown-suggestions.ts'
import type { WrittenSuggestion } from './stretches.ts'
import { Suggesting } from './testing/suggesting.ts'

test('suggestions of one’s own are shown, and what is none any more goes', () => {
  const text = new Suggesting('A quick fox.')
  text.dispatch(showing(text.state, [{ key: 3, pieces: [{ from: 2, to: 7, insert: 'slow' }] }], []))
  text.dispatch(showing(text.state, [{ key: 5, pieces: [{ from: 11, to: 11, insert: 'es' }] }], []))
  expect(text.shown).toBe('A [-quick][+slow] fox[+es].')
  text.dispatch(showing(text.state, [], [3]))
  expect(text.shown).toBe('A quick fox[+es].')
  text.cursor(text.state.doc.length).type('!')
  expect(text.stretches.map(({ key }) => key)).toEqual([5, 6])
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
})
