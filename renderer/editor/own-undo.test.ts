import { EditorState, Transaction } from '@codemirror/state'
import { isolateHistory } from '@codemirror/commands'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTexts } from '../../server/domain/merge.ts'
import { textDiff } from '../../server/domain/diff/index.ts'
import type { Hunk } from '../../server/domain/hunk.ts'
import { letterChanges } from './letter-changes.ts'
import { fromElsewhere, ownHistory, redoOwn, undoOwn } from './own-undo.ts'
import { stopUndo } from './undo-beside.ts'

/** One writer’s text, with the text it was last in step with. */
class Writer {
  state: EditorState
  base: string

  constructor(text: string) {
    this.base = text
    this.state = EditorState.create({ doc: text, extensions: ownHistory(() => {}) })
  }
  get text() {
    return this.state.doc.toString()
  }
  /** Types something in place of the first place where words stand. */
  type(words: string, typed: string) {
    const from = this.text.indexOf(words)
    if (from < 0) return
    this.#do({ from, to: from + words.length, insert: typed })
  }
  typeAfter(words: string, typed: string) {
    this.type(words, words + typed)
  }
  #do(changes: { from: number; to: number; insert: string }) {
    // Only what differs, as keys do it.
    const [hunk] = textDiff(this.state.sliceDoc(changes.from, changes.to), changes.insert)
    if (!hunk) return
    const change = {
      from: changes.from + hunk.fromA,
      to: changes.from + hunk.toA,
      insert: changes.insert.slice(hunk.fromB, hunk.toB),
    }
    this.state = this.state.update({ changes: change, annotations: isolateHistory.of('full') }).state
  }
  typeAt(at: number, typed: string) {
    this.#do({ from: at, to: at, insert: typed })
  }
  backspace(words: string) {
    const from = this.text.indexOf(words)
    for (let to = from + words.length; to > from; to--) this.#do({ from: to - 1, to, insert: '' })
  }
  takeIn(text: string, changes: readonly Hunk[] = textDiff(this.text, text)) {
    this.state = this.state.update({
      changes: letterChanges(this.text, text, changes),
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    }).state
  }
  stop() {
    this.state = this.state.update({ effects: stopUndo.of(null) }).state
  }
  undo() {
    return undoOwn({ state: this.state, dispatch: (transaction) => (this.state = transaction.state) })
  }
  redo() {
    return redoOwn({ state: this.state, dispatch: (transaction) => (this.state = transaction.state) })
  }
}

class Server {
  text: string
  constructor(text: string) {
    this.text = text
  }
  sync(writer: Writer) {
    if (writer.text === writer.base) writer.takeIn(this.text)
    else {
      const { text, changes } = mergeTexts(writer.base, writer.text, this.text)
      writer.takeIn(text, changes)
    }
    this.text = writer.text
    writer.base = writer.text
  }
}

const three = 'The first stands.\n\nThe second one goes away.\n\nThe third stands.\n'
const second = 'The second one goes away.\n\n'
const beta = 'Alpha para.\n\nBeta para to go.\n\nGamma.'

describe('undo', () => {
  it('takes what was typed here and leaves what came', () => {
    const one = new Writer(three)
    one.typeAfter('third', ' typed')
    one.takeIn(one.text.replace('first', 'opening'))
    one.undo()
    expect(one.text).toBe(three.replace('first', 'opening'))
    expect(one.undo()).toBe(false)
    one.redo()
    expect(one.text).toBe(three.replace('first', 'opening').replace('third', 'third typed'))
  })

  it('takes nothing at first after what was done beside the text, and goes on when asked again', () => {
    const one = new Writer(three)
    one.typeAfter('third', ' typed')
    one.takeIn(one.text.replace('first', 'opening'))
    one.stop()
    const accepted = one.text
    expect(one.undo()).toBe(true)
    expect(one.text).toBe(accepted)
    one.undo()
    expect(one.text).toBe(three.replace('first', 'opening'))
  })

  it('takes what was typed since what was done beside the text', () => {
    const one = new Writer(three)
    one.takeIn(one.text.replace('first', 'opening'))
    one.stop()
    one.typeAfter('third', ' typed')
    one.undo()
    expect(one.text).toBe(three.replace('first', 'opening'))
  })

  it('doesn’t double a paragraph that came back because someone was typing in it', () => {
    const [one, other] = [new Writer(three), new Writer(three)]
    const server = new Server(three)
    one.type(second, '')
    other.typeAfter('goes', ' slowly')
    server.sync(other)
    server.sync(one)
    expect(one.text).toContain('goes slowly')
    one.undo()
    expect(one.text.split('The second')).toHaveLength(2)
    expect(one.text).toContain('goes slowly')
  })

  it('doesn’t double it either when the deletion arrived first', () => {
    const [one, other] = [new Writer(three), new Writer(three)]
    const server = new Server(three)
    other.typeAfter('goes', ' slowly')
    one.type(second, '')
    server.sync(one)
    server.sync(other)
    server.sync(one)
    expect(one.text).toContain('goes slowly')
    one.undo()
    expect(one.text.split('The second')).toHaveLength(2)
    other.undo()
    expect(other.text).toBe(three)
  })

  it('doesn’t double what was deleted letter by letter, and then takes what was typed before', () => {
    const [one, other] = [new Writer(three), new Writer(three)]
    const server = new Server(three)
    one.typeAfter('first', ' typed')
    one.backspace(second.trim())
    other.typeAfter('goes', ' slowly')
    server.sync(other)
    server.sync(one)
    const before = one.text
    one.undo()
    expect(one.text).toBe(before.replace(' typed', ''))
  })

  it('doesn’t double what was written over', () => {
    const [one, other] = [new Writer(three), new Writer(three)]
    const server = new Server(three)
    one.type(second, 'Something else.\n\n')
    other.typeAfter('goes', ' slowly')
    server.sync(other)
    server.sync(one)
    one.undo()
    expect(one.text.split('The second')).toHaveLength(2)
    expect(one.text).not.toContain('Something')
  })

  it('puts deleted words back beside other words that came there', () => {
    const one = new Writer(three)
    one.type(second, '')
    one.takeIn(one.text.replace('\n\nThe third', '\n\nQuite another paragraph.\n\nThe third'))
    one.undo()
    expect(one.text).toContain(second)
    expect(one.text).toContain('Quite another')
  })

  it('puts a deleted line back on the side where it was of words typed behind it', () => {
    const [one, other] = [new Writer(beta), new Writer(beta)]
    const server = new Server(beta)
    const sync = () => [one, other, one].forEach((writer) => server.sync(writer))
    one.typeAfter('go.', ' one')
    sync()
    other.type('Beta para to go. one', '')
    server.sync(other)
    server.sync(one)
    one.typeAt('Alpha para.\n\n'.length, ' two')
    sync()
    expect(one.text).toBe('Alpha para.\n\n two\n\nGamma.')
    expect(other.text).toBe(one.text)
    other.undo()
    const together = 'Alpha para.\n\nBeta para to go. one two\n\nGamma.'
    expect(other.text).toBe(together)
    sync()
    expect(one.text).toBe(together)
    other.redo()
    expect(other.text).toBe('Alpha para.\n\n two\n\nGamma.')
    other.undo()
    expect(other.text).toBe(together)
    one.undo()
    expect(one.text).toBe(together.replace(' two', ''))
  })

  it.each([
    ['Before. ', 'Gone.Before. '],
    [' After.', 'Gone. After.'],
    ['\nNew', 'Gone.\nNew'],
  ])('puts a deleted line back before %j that came there', (typed, expected) => {
    const one = new Writer('First.\n\nGone.\n\nLast.')
    one.type('Gone.', '')
    one.takeIn(`First.\n\n${typed}\n\nLast.`)
    one.undo()
    expect(one.text).toBe(`First.\n\n${expected}\n\nLast.`)
  })

  it('never glues a deleted word to one that came there', () => {
    const one = new Writer('A quick fox.')
    one.type('quick', '')
    one.takeIn('A slow fox.')
    one.undo()
    expect(one.text).toBe('A quick slow fox.')
  })

  it('leaves no white space behind that it put between words, and puts it there again', () => {
    const one = new Writer('A quick fox.')
    one.type('quick', '')
    one.takeIn('A slow fox.')
    for (let times = 0; times < 3; times++) {
      one.undo()
      expect(one.text).toBe('A quick slow fox.')
      one.redo()
      expect(one.text).toBe('A slow fox.')
    }
    one.takeIn('A very slow fox.')
    one.undo()
    expect(one.text.match(/\S+/g)!.toSorted()).toEqual(['A', 'fox.', 'quick', 'slow', 'very'])
  })

  it('keeps words apart that came to both sides of what redo takes away again', () => {
    const one = new Writer('A quick fox.')
    one.type('quick', '')
    one.takeIn('A slow fox.')
    one.undo()
    one.takeIn('A veryquick slow fox.')
    one.redo()
    expect(one.text).toBe('A very slow fox.')
  })

  it.each([
    ['foobar', 'foo', 'sbar', 'foosbar'],
    ['foobar', 'foo', 'x-bar', 'foo x-bar'],
    ['foobar', 'foo', 'new stuff bar', 'foo new stuff bar'],
    ['foobar', 'foo', 'new, stuffbar', 'foo new, stuffbar'],
    ['wordsmith', 'smith', 'wordy', 'wordsmithy'],
    ['wordsmith and more', 'smith and more', 'wordy', 'wordysmith and more'],
    ['an old man', 'old', 'an ill man', 'an old ill man'],
  ])(
    'puts spaces between words, and none into them: %j without %j became %j',
    (before, gone, came, expected) => {
      const one = new Writer(before)
      one.type(gone, '')
      const left = one.text
      one.takeIn(came)
      one.undo()
      expect(one.text).toBe(expected)
      one.redo()
      expect(one.text).toBe(came)
      expect(left).not.toBe(came)
    },
  )

  it('redoes what continued a word that someone else continues, without a space', () => {
    const one = new Writer('One word.')
    one.typeAfter('word', 's')
    one.undo()
    one.takeIn('One wordy.')
    one.redo()
    expect(one.text).toBe('One wordsy.')
    one.undo()
    expect(one.text).toBe('One wordy.')
  })

  it('loses and adds nothing but a space between words, and leaves what came as it was when redone', () => {
    const words = fc.stringMatching(/^[ab ,]{0,5}$/)
    fc.assert(
      fc.property(words, words, words, fc.stringMatching(/^[xy .]{1,4}$/), (before, gone, after, came) => {
        fc.pre(gone !== '')
        const one = new Writer(before + gone + after)
        one.state = one.state.update({
          changes: { from: before.length, to: before.length + gone.length },
        }).state
        one.takeIn(before + came + after, [
          {
            fromA: before.length,
            toA: before.length,
            fromB: before.length,
            toB: before.length + came.length,
          },
        ])
        const theirs = one.text
        one.undo()
        const here = [before + gone + came + after, before + came + gone + after]
        const spaced = `${before + gone} ${came + after}`
        expect([...here, spaced, `${before + came} ${gone + after}`]).toContain(one.text)
        // A space is only put between words that neither is nor was a part of one with what stands beside.
        if (!here.includes(one.text) && one.text === spaced && !/\s/.test(came + gone)) {
          expect(gone + came).toMatch(new RegExp(`^${gone}(?<=[ab])(?=[xy])`))
          const isSplit = (side: string) => /^[ab]$/.test(side)
          if (isSplit(after[0] ?? '') && !/[ .]/.test(came)) expect.fail('a space within a word')
          if (isSplit(before.at(-1) ?? '') && !/[ ,]/.test(gone)) {
            expect(came).not.toMatch(/^[xy]/)
          }
        }
        const undone = one.text
        one.redo()
        expect(one.text).toBe(theirs)
        one.undo()
        expect(one.text).toBe(undone)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes the whole of what was typed where someone else wrote against it', () => {
    for (const [came, left] of [
      ['Beta two', 'Beta'],
      [' twoBeta', 'Beta'],
      [' two Beta', ' Beta'],
    ] as const) {
      const one = new Writer('A.\n\n\n\nB.')
      one.typeAt('A.\n\n'.length, ' two')
      one.takeIn(`A.\n\n${came}\n\nB.`)
      one.undo()
      expect(one.text).toBe(`A.\n\n${left}\n\nB.`)
    }
  })

  it('never doubles what came back, whoever saved first and however it was deleted', () => {
    const paragraphs = Array.from({ length: 4 }, (_, p) =>
      Array.from({ length: 5 + p }, (_, w) => `word${p}x${w}`).join(' '),
    )
    const start = `${paragraphs.join('\n\n')}\n`
    const place = fc.record({ paragraph: fc.nat(3), word: fc.nat(3) })
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 4 }),
        place,
        fc.boolean(),
        fc.boolean(),
        (before, { paragraph, word }, bySlices, firstOther) => {
          const [one, other] = [new Writer(start), new Writer(start)]
          const server = new Server(start)
          for (const [i, at] of before.entries()) {
            one.typeAfter(`word${at.paragraph}x${at.word}`, ` typed${i}z`)
            server.sync(one)
          }
          server.sync(other)
          const line = one.text.split('\n').find((text) => text.includes(`word${paragraph}x0`))!
          if (bySlices) one.backspace(line)
          else one.type(line, '')
          other.typeAfter(`word${paragraph}x${word}`, ' came')
          const order = firstOther ? [other, one] : [one, other]
          for (const writer of [...order, ...order]) server.sync(writer)
          expect(one.text).toContain('came')
          while (one.undo());
          for (const word of start.match(/\S+/g)!) expect(one.text.split(word), one.text).toHaveLength(2)
          expect(one.text.split('came')).toHaveLength(2)
          server.sync(one)
          server.sync(other)
          expect(other.text).toBe(one.text)
        },
      ),
      { numRuns: 300 },
    )
  })
})
