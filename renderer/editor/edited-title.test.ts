import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EditedTitle } from './edited-title.svelte.ts'

const noOther = (theirs: string) => {
  throw new Error(theirs)
}
const begin = (title = 'Base') => new EditedTitle({ title, revision: 1 }, undefined, noOther)

describe('a title that another changes meanwhile', () => {
  it('has what both have written', () => {
    const title = begin()
    title.write('Base hello', false)
    title.receive({ title: 'Base WORLD', revision: 2 })
    expect([title.current, title.saved]).toEqual(['Base hello WORLD', 'Base WORLD'])
  })

  it('is made of what was sent, where that has come back before its answer', () => {
    const title = begin()
    title.write('Base h', false)
    const sending = title.send()
    title.write('Base he', false)
    title.receive({ title: 'Base h', revision: 2 })
    title.receive({ title: 'Base h W', revision: 3 })
    expect(title.current).toBe('Base he')
    sending.taken(2)
    expect([title.current, title.saved]).toEqual(['Base he W', 'Base h W'])
  })

  it('is sent anew where the server refuses it, with what that has', () => {
    const title = begin()
    title.write('Base he', false)
    const sending = title.send()
    expect(sending.body).toEqual({ title: 'Base he', base_title: 'Base' })
    sending.refused({ title: 'Base W', revision: 2 })
    expect(title.send().body).toEqual({ title: 'Base he W', base_title: 'Base W' })
  })

  it('has nothing twice where it arrived and nobody heard of that, here or in the window that goes on', () => {
    const title = begin()
    title.write('Base h', false)
    const { lost } = title.send()
    title.write('Base he', false)
    const { draft } = title
    lost()
    title.receive({ title: 'Base h W', revision: 3 })
    expect(title.current).toBe('Base he W')
    const next = new EditedTitle({ title: draft.savedTitle, revision: 1 }, draft, noOther)
    next.receive({ title: 'Base h W', revision: 3 })
    expect(next.current).toBe('Base he W')
    const beside = begin('Base h W')
    expect([beside.bring(draft), beside.current]).toEqual([true, 'Base he W'])
  })

  it('takes no older title for a newer one', () => {
    const title = begin()
    title.write('Base h', false)
    title.send().taken(3)
    title.receive({ title: 'Base', revision: 2 })
    expect([title.current, title.saved]).toEqual(['Base h', 'Base h'])
  })

  it('is the other’s where the text has given it, and the one of whoever writes where both wrote another word', () => {
    const given = begin()
    given.write('Heading', true)
    given.receive({ title: 'A name', revision: 2 })
    expect(given.current).toBe('A name')
    const others: string[] = []
    const written = new EditedTitle({ title: 'T', revision: 1 }, undefined, (theirs) => others.push(theirs))
    written.write('Mine', false)
    written.receive({ title: 'Theirs', revision: 2 })
    expect([written.current, others]).toEqual(['Mine', ['Theirs']])
  })
})

it('loses no letter that several type at one time, each behind their own, however late all is told', () => {
  const step = fc.record({ who: fc.nat(2), what: fc.constantFrom('type', 'type', 'send', 'answer', 'hear') })
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.constantFrom<string>('', 'Base', 'A title of words'),
      (steps, at) => {
        const server = { title: at, revision: 1 }
        const writers = ['X', 'Y', 'Z'].map((letter) => ({
          letter,
          word: '',
          title: begin(at),
          sending: null as ReturnType<EditedTitle['send']> | null,
          answer: () => {},
        }))
        type One = (typeof writers)[number]
        const acts = {
          // Behind one’s own word, or as a word at the end.
          type(one: One) {
            const { current } = one.title
            const more = one.word === '' ? ` ${one.letter}` : one.letter
            const end = one.word === '' ? current.length : current.indexOf(one.word) + one.word.length
            one.word = (one.word + more).trim()
            one.title.write(current.slice(0, end) + more + current.slice(end), false)
          },
          send(one: One) {
            if (one.sending || !one.title.isDirty) return
            one.sending = one.title.send()
            const { body, taken, refused } = one.sending
            if (body.base_title === server.title) {
              server.title = body.title
              const revision = ++server.revision
              one.answer = () => taken(revision)
            } else {
              const theirs = { ...server }
              one.answer = () => refused(theirs)
            }
          },
          answer(one: One) {
            if (one.sending) one.answer()
            one.sending = null
          },
          hear: (one: One) => one.title.receive({ ...server }),
        }
        for (const { who, what } of steps) acts[what](writers[who]!)
        for (let round = 0; round < 6; round++)
          for (const one of writers)
            for (const act of ['answer', 'hear', 'send', 'answer'] as const) acts[act](one)
        for (const one of writers) {
          acts.hear(one)
          expect(one.title.current).toBe(server.title)
          expect(server.title.split(' ')).toEqual(expect.arrayContaining(one.word === '' ? [] : [one.word]))
        }
      },
    ),
    { seed: 20261128, numRuns: 2000 },
  )
})
