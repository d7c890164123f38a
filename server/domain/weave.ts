/*
 * A text together with all that was ever taken out of it, in the order in which it stood: so that any step can be undone
 * as if it had never been done, whatever came after it, and redone. What undo takes out or brings back is told by which
 * steps put a piece in and took it out, not by places that follow changes: those get lost once what is around them goes.
 * After Colin Rofls’ and Raph Levien’s “A CRDT-based approach to undo” of the Xi editor; nothing is exchanged here, so it
 * needs no order that several agree on.
 */

/** Letters that were put in at once and have had the same lot since. */
export interface Piece {
  /** The step that put it in; `first` of what stood before all of them. */
  readonly by: number
  /** Which of the letters that this step put in come first in it: with `by` that names a letter for good. */
  readonly at: number
  readonly length: number
  /** The steps that took it out, in any order. */
  readonly taken: readonly number[]
  /** What it says, known while it doesn’t stand in the text. */
  readonly text: string
}

/** A letter by the step that put it in, and which of that step’s letters it is. */
export interface Letter {
  by: number
  at: number
}

/** `insert` in place of what stands from `from` to `to`; all places in the text before the change. */
export interface Splice {
  from: number
  to: number
  insert: string
}

/** A splice with the step that it belongs to. */
export interface StepSplice extends Splice {
  step: number
  side?: ChooseSide | undefined
}

/** The step of what stood first. */
export const first = 0

/** Where something comes among pieces that don’t stand in the text, all at one place of that: before which of them. */
export type ChooseSide = (gone: readonly Piece[], insert: string) => number

/** Behind the end of a line and what was taken out of that line; before lines that were taken out. */
export const besideItsLine: ChooseSide = (gone) => {
  const line = gone.findIndex(({ text }) => text.startsWith('\n'))
  return line < 0 ? gone.length : line
}

export class Weave {
  readonly pieces: readonly Piece[]
  /** The steps that are undone. */
  readonly undone: ReadonlySet<number>

  private constructor(pieces: readonly Piece[], undone: ReadonlySet<number>) {
    this.pieces = pieces
    this.undone = undone
  }

  static of(length: number): Weave {
    return new Weave(length > 0 ? [{ by: first, at: 0, length, taken: [], text: '' }] : [], new Set())
  }

  stands({ by, taken }: Piece): boolean {
    return !this.undone.has(by) && taken.every((step) => this.undone.has(step))
  }

  /** Of the text. */
  get length(): number {
    return this.pieces.reduce((sum, piece) => sum + (this.stands(piece) ? piece.length : 0), 0)
  }

  /**
   * After steps that change the text, or go on with what they did before, at once: all of their places are in the text
   * before them.
   * @param splices in order; they may touch, as long as none is within another
   * @param read what stands in the text before them
   */
  changedBy(splices: readonly StepSplice[], read: (from: number, to: number) => string): Weave {
    const made: Piece[] = []
    const put = (piece: Piece) => piece.length > 0 && join(made, piece)
    const next = new Map(splices.map(({ step }) => [step, 0]))
    for (const { by, at, length } of this.pieces) {
      const known = next.get(by)
      if (known !== undefined && at + length > known) next.set(by, at + length)
    }
    let i = 0
    /** How much of the piece `i` is in `made`. */
    let offset = 0
    let place = 0
    const upTo = (end: number, each: (piece: Piece, from: number) => Piece, by?: number) => {
      const start = place
      while (place < end) {
        const piece = this.pieces[i]!
        if (!this.stands(piece)) {
          // What is taken out with what stands around it, or in its stead, isn’t for others to bring back.
          const isOver = by !== undefined && (place > start || this.#isReplacedAt(i))
          put(isOver ? takenOut(piece, by, piece.text) : piece)
          i++
          continue
        }
        const length = Math.min(piece.length - offset, end - place)
        put(each(slice(piece, offset, offset + length), place))
        place += length
        offset += length
        if (offset === piece.length) [i, offset] = [i + 1, 0]
      }
    }
    const gone = () => {
      const found: Piece[] = []
      if (offset > 0) return found
      for (let j = i; j < this.pieces.length && !this.stands(this.pieces[j]!); j++)
        found.push(this.pieces[j]!)
      return found
    }
    for (const { from, to, insert, step, side = besideItsLine } of splices) {
      // Whole pieces beside each other stay as they are.
      for (let isFirst = true; offset === 0 && i < this.pieces.length; isFirst = false) {
        const piece = this.pieces[i]!
        const after = place + (this.stands(piece) ? piece.length : 0)
        if (after > from || (after === place && place === from)) break
        if (isFirst) put(piece)
        else made.push(piece)
        place = after
        i++
      }
      upTo(from, (piece) => piece)
      if (from === to) {
        const before = gone()
        const count = Math.max(0, Math.min(before.length, side(before, insert)))
        for (const piece of before.slice(0, count)) put(piece)
        i += count
      } else upTo(to, (piece, at) => takenOut(piece, step, read(at, at + piece.length)), step)
      const at = next.get(step)!
      put({ by: step, at, length: insert.length, taken: [], text: '' })
      next.set(step, at + insert.length)
    }
    if (offset > 0) {
      const piece = this.pieces[i]!
      put(slice(piece, offset, piece.length))
      i++
    }
    // Only the first may go on from what is before it.
    if (i < this.pieces.length) put(this.pieces[i]!)
    for (let j = i + 1; j < this.pieces.length; j++) made.push(this.pieces[j]!)
    return new Weave(made, this.undone)
  }

  /** Whether what stands next was put in by a step that took out what is at this place. */
  #isReplacedAt(i: number): boolean {
    const next = this.pieces.slice(i).find((piece) => this.stands(piece))
    return next !== undefined && this.pieces[i]!.taken.includes(next.by)
  }

  /**
   * With steps undone or done again, and what that does to the text.
   * @param read what stands in the text before it
   */
  turned(
    { undo = [], redo = [] }: { undo?: Iterable<number>; redo?: Iterable<number> },
    read: (from: number, to: number) => string,
  ): { weave: Weave; splices: Splice[] } {
    const undone = new Set(this.undone)
    for (const step of redo) undone.delete(step)
    for (const step of undo) undone.add(step)
    const turned = new Weave(this.pieces, undone)
    const pieces: Piece[] = []
    const splices: Splice[] = []
    let place = 0
    for (const piece of this.pieces) {
      const [did, does] = [this.stands(piece), turned.stands(piece)]
      const [start, end] = [place, did ? place + piece.length : place]
      place = end
      if (did !== does) {
        const last = splices.at(-1)
        const insert = does ? piece.text : ''
        if (last && last.to === start) [last.to, last.insert] = [end, last.insert + insert]
        else splices.push({ from: start, to: end, insert })
      }
      join(pieces, did === does ? piece : { ...piece, text: does ? '' : read(start, end) })
    }
    return { weave: new Weave(pieces, undone), splices }
  }

  /** With other pieces in place of some, which say the same of the text. */
  with(map: (piece: Piece) => Piece | readonly Piece[] | null): Weave {
    const pieces: Piece[] = []
    for (const piece of this.pieces) {
      const now = map(piece)
      for (const one of now === null ? [] : [now].flat()) if (one.length > 0) join(pieces, one)
    }
    return new Weave(pieces, this.undone)
  }

  /** Which letter stands behind a place of the text; null at its end. */
  letterAt(place: number): Letter | null {
    let start = 0
    for (const piece of this.pieces) {
      if (!this.stands(piece)) continue
      if (place < start + piece.length) return { by: piece.by, at: piece.at + place - start }
      start += piece.length
    }
    return null
  }

  /** Where a letter stands, or would: then the place where it was; null of one that isn’t known. */
  placeOf({ by, at }: Letter): { place: number; isThere: boolean } | null {
    let place = 0
    for (const piece of this.pieces) {
      const isThere = this.stands(piece)
      if (piece.by === by && at >= piece.at && at < piece.at + piece.length)
        return { place: isThere ? place + at - piece.at : place, isThere }
      if (isThere) place += piece.length
    }
    return null
  }
}

const takenOut = (piece: Piece, by: number, text: string): Piece => ({
  ...piece,
  taken: piece.taken.includes(by) ? piece.taken : [...piece.taken, by],
  text,
})

function slice(piece: Piece, from: number, to: number): Piece {
  if (from === 0 && to === piece.length) return piece
  return { ...piece, at: piece.at + from, length: to - from, text: piece.text.slice(from, to) }
}

/** Adds a piece, as one with the last where they go on from one another. */
function join(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1)
  const isOne =
    last?.by === piece.by &&
    last.at + last.length === piece.at &&
    last.taken.length === piece.taken.length &&
    last.taken.every((step, i) => step === piece.taken[i])
  if (!isOne) pieces.push(piece)
  else
    pieces[pieces.length - 1] = { ...last, length: last.length + piece.length, text: last.text + piece.text }
}
