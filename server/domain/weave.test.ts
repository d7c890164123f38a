import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { besideItsLine, Weave, type Splice } from './weave.ts'

/** A text, and its weave. */
class Woven {
  text: string
  weave: Weave
  constructor(text: string) {
    this.text = text
    this.weave = Weave.of(text.length)
  }
  readonly #read = (from: number, to: number) => this.text.slice(from, to)

  change(step: number, ...splices: Splice[]): void {
    const all = splices.map((one) => ({ ...one, step }))
    this.weave = this.weave.changedBy(all, this.#read)
    this.#apply(splices)
  }
  undo(...steps: number[]): string {
    return this.#turn({ undo: steps })
  }
  redo(...steps: number[]): string {
    return this.#turn({ redo: steps })
  }
  #turn(steps: { undo?: number[]; redo?: number[] }): string {
    const { weave, splices } = this.weave.turned(steps, this.#read)
    this.weave = weave
    this.#apply(splices)
    return this.text
  }
  #apply(splices: readonly Splice[]): void {
    for (const { from, to, insert } of splices.toReversed())
      this.text = this.text.slice(0, from) + insert + this.text.slice(to)
    expect(this.weave.length).toBe(this.text.length)
  }
}

describe('a text with all that was taken out of it', () => {
  it('brings back words in their order, though what stood around them went and came back since', () => {
    const text = new Woven('one two three')
    text.change(1, { from: 4, to: 7, insert: 'XX' })
    text.change(2, { from: 0, to: 12, insert: '' })
    expect(text.undo(1)).toBe('')
    expect(text.undo(2)).toBe('one two three')
    expect(text.redo(1)).toBe('one XX three')
    expect(text.redo(2)).toBe('')
  })

  it('takes nothing out twice and brings nothing back that another step took out', () => {
    const text = new Woven('a b c')
    text.change(1, { from: 2, to: 2, insert: 'x ' })
    text.change(2, { from: 0, to: 5, insert: '' })
    expect(text.undo(1)).toBe(' c')
    expect(text.undo(2)).toBe('a b c')
  })

  it('leaves out what another step took out with what stood in its stead', () => {
    const text = new Woven('the word here')
    text.change(1, { from: 4, to: 8, insert: 'red' })
    text.change(2, { from: 4, to: 7, insert: 'blue' })
    expect(text.undo(1)).toBe('the blue here')
    expect(text.undo(2)).toBe('the word here')
    expect(text.redo(1)).toBe('the red here')
  })

  it('puts what is written at the end of a line before the lines that were taken out behind it', () => {
    const text = new Woven('Milk.\n\nEggs.')
    text.change(1, { from: 5, to: 12, insert: '' })
    text.change(2, { from: 5, to: 5, insert: ' And bread.' })
    expect(text.undo(1)).toBe('Milk. And bread.\n\nEggs.')
  })

  it('knows where a letter is or was', () => {
    const text = new Woven('abc')
    text.change(1, { from: 1, to: 1, insert: 'xyz' })
    const y = text.weave.letterAt(2)!
    text.change(2, { from: 0, to: 3, insert: '' })
    expect(text.text).toBe('zbc')
    expect(text.weave.placeOf(y)).toEqual({ place: 0, isThere: false })
    text.undo(2)
    expect(text.weave.placeOf(y)).toEqual({ place: 2, isThere: true })
    expect(text.weave.letterAt(6)).toBeNull()
    expect(text.weave.placeOf({ by: 9, at: 0 })).toBeNull()
  })

  it('has, with any steps undone, the letters of the others’ alone, in one order', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      gone: fc.nat(5),
      insert: fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 5 }),
      more: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.array(fc.nat(11)), (changes, turns) => {
        const text = new Woven('one two\nthree four')
        /** Each letter of all, in order, as one that can be told from all others. */
        let all = [...text.text].map((letter) => ({ letter, by: 0, taken: new Set<number>() }))
        const undone = new Set<number>()
        const standing = () =>
          all.filter(({ by, taken }) => !undone.has(by) && [...taken].every((one) => undone.has(one)))
        const said = () =>
          standing()
            .map(({ letter }) => letter)
            .join('')
        let step = 0
        for (const { at, gone, insert, more } of changes) {
          if (!more || step === 0) step++
          if (undone.has(step)) continue
          const from = Math.floor(at * text.text.length)
          const to = Math.min(text.text.length, from + gone)
          if (from === to && insert === '') continue
          const now = standing()
          const isOver = (one: (typeof all)[number]) => {
            const place = all.indexOf(one)
            const next = all.slice(place).find((other) => now.includes(other))
            const before = all.slice(0, place).findLast((other) => now.includes(other))
            const isIn = (other?: typeof one) => other !== undefined && now.slice(from, to).includes(other)
            return isIn(next) && (isIn(before) || one.taken.has(next!.by))
          }
          const over = all.filter(
            (one) => now.slice(from, to).includes(one) || (!now.includes(one) && isOver(one)),
          )
          for (const one of over) one.taken.add(step)
          let place =
            to > from ? all.indexOf(now[to - 1]!) + 1 : from > 0 ? all.indexOf(now[from - 1]!) + 1 : 0
          if (to === from) {
            const end = now[from] ? all.indexOf(now[from]) : all.length
            const pieces = text.weave.pieces
            // The same choice, told by letters.
            let [left, start] = [from, 0]
            for (; start < pieces.length; start++) {
              const piece = pieces[start]!
              if (left === 0) break
              if (text.weave.stands(piece)) {
                left -= piece.length
                if (left < 0) break
              }
            }
            const gap = []
            if (left === 0)
              for (let i = start; i < pieces.length && !text.weave.stands(pieces[i]!); i++)
                gap.push(pieces[i]!)
            const count = besideItsLine(gap, insert)
            place += gap.slice(0, count).reduce((sum, { length }) => sum + length, 0)
            expect(place).toBeLessThanOrEqual(end)
          }
          all = [
            ...all.slice(0, place),
            ...[...insert].map((letter) => ({ letter, by: step, taken: new Set<number>() })),
            ...all.slice(place),
          ]
          text.change(step, { from, to, insert })
          expect(text.text).toBe(said())
        }
        for (const turn of turns) {
          if (turn === 0 || turn > step) continue
          if (undone.delete(turn)) text.redo(turn)
          else {
            undone.add(turn)
            text.undo(turn)
          }
          expect(text.text).toBe(said())
        }
        for (const one of undone) text.redo(one)
        undone.clear()
        expect(text.text).toBe(said())
      }),
      { numRuns: 500 },
    )
  })
})
