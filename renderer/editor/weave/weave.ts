import type { Parted } from '../../../server/domain/parted.ts'
import { commonLetters, mostWork, type Common } from './common.ts'

/*
 * A text with all that has stood in it since an editor opened, what is gone included, in one order. Each piece knows which
 * steps wrote it and which took it out; so a step is undone by not counting it, and nothing has to be followed for that.
 * After Colin Rofls’ and Raph Levien’s “A CRDT-based approach to undo” of the Xi editor.
 */

/** Letters that were put in at once and have had the same lot since. */
export interface Piece {
  /** Of its first letter; those behind have the numbers that follow. */
  readonly id: number
  readonly length: number
  /** The steps that wrote it; `first` wrote what stood before all of them. */
  readonly by: readonly number[]
  /** The steps that took it out. */
  readonly out: readonly number[]
  /** What it says, known while it is gone. */
  readonly text: string
}

/** `insert` in place of what stands from `from` to `to`; all places in the text before the change. */
export interface Splice {
  from: number
  to: number
  insert: string
}

export type Read = (from: number, to: number) => string

/** The step of what stood first: it always counts. */
export const first = 0

/** Steps of which it isn’t known whose they are have numbers from here on, below zero. */
export const anonymous = 2 ** 52
/** Steps that only tidy what undo and redo have left have numbers from here on, of whomever they are. */
export const tidyingFrom = 2 ** 31
export const isTidying = (step: number): boolean =>
  Math.abs(step) < anonymous && Math.abs(step) % 2 ** 32 >= tidyingFrom
const isNamed = (step: number) => step > -anonymous

/** Which steps have written or taken out what, in a change that comes from others. */
export interface Labels {
  /** Of the text that the change leaves, in order: who wrote it, also where it stood before. */
  put: readonly Labelled[]
  /** Of the text before it. */
  taken: readonly Labelled[]
  /** What neither says. */
  otherwise: number
  /** The same of what is taken out. */
  takenOtherwise?: number
  /** Whether the change takes back steps, so that letters come back with it. */
  takesBack: boolean
}

export interface Labelled {
  from: number
  to: number
  step: number
}

export class Weave {
  readonly pieces: readonly Piece[]
  /** The steps that don’t count. */
  readonly undone: ReadonlySet<number>
  readonly nextId: number

  private constructor(pieces: readonly Piece[], undone: ReadonlySet<number>, nextId: number) {
    this.pieces = pieces
    this.undone = undone
    this.nextId = nextId
  }

  static of(length: number): Weave {
    const all = { id: 0, length, by: [first], out: [], text: '' }
    return new Weave(length > 0 ? [all] : [], new Set(), length)
  }

  stands({ by, out }: Piece): boolean {
    return by.some((step) => !this.undone.has(step)) && out.every((step) => this.undone.has(step))
  }

  /** Of the text. */
  get length(): number {
    return this.pieces.reduce((sum, piece) => sum + (this.stands(piece) ? piece.length : 0), 0)
  }

  /** After one of one’s own steps has changed the text. */
  written(splices: readonly Splice[], step: number, read: Read): Weave {
    return this.changed(splices, read, { put: [], taken: [], otherwise: step, takesBack: false })
  }

  /** With steps undone or done again, and what that does to the text. */
  turned(
    { undo = [], redo = [] }: { undo?: readonly number[]; redo?: readonly number[] },
    read: Read,
  ): { weave: Weave; splices: Splice[] } {
    const after = this.counting(undo, redo)
    const made = new Gathered()
    const splices: Splice[] = []
    let place = 0
    for (const piece of this.pieces) {
      const [did, does] = [this.stands(piece), after.stands(piece)]
      const [start, end] = [place, did ? place + piece.length : place]
      place = end
      if (did !== does) {
        const last = splices.at(-1)
        const insert = does ? piece.text : ''
        if (last && last.to === start) [last.to, last.insert] = [end, last.insert + insert]
        else splices.push({ from: start, to: end, insert })
      }
      made.put(did === does ? piece : { ...piece, text: does ? '' : read(start, end) })
    }
    return { weave: new Weave(made.all, after.undone, this.nextId), splices }
  }

  /** The same pieces, with other steps counting: what it says of the text isn’t so yet. */
  counting(undo: readonly number[], redo: readonly number[]): Weave {
    const undone = new Set(this.undone)
    for (const step of redo) undone.delete(step)
    for (const step of undo) undone.add(step)
    return new Weave(this.pieces, undone, this.nextId)
  }

  /**
   * After a change of the text. What it says comes before what is known of steps: a letter that it brings stands, and one
   * that it takes is gone, whatever counts.
   * @param splices in order; they may touch
   * @param turn the steps that the change takes back or does again
   */
  changed(
    splices: readonly Splice[],
    read: Read,
    labels: Labels,
    turn: { undo?: readonly number[]; redo?: readonly number[] } = {},
  ): Weave {
    return new Changing(this, withRewritten(splices, read, labels), read, labels, turn).weave
  }

  /** With other pieces in place of some, which say the same of the text. */
  with(map: (piece: Piece) => Piece | null): Weave {
    const made = new Gathered()
    for (const piece of this.pieces) {
      const now = map(piece)
      if (now) made.put(now)
    }
    return new Weave(made.all, this.undone, this.nextId)
  }

  /** With letters that are gone taken out by another step, which came before those that did it. */
  outOf(letters: ReadonlySet<number>, step: number, before: ReadonlySet<number>): Weave {
    if (letters.size === 0) return this
    const made = new Gathered()
    for (const piece of this.pieces) {
      if (this.stands(piece)) {
        made.put(piece)
        continue
      }
      for (let i = 0; i < piece.length; i++) {
        const one = part(piece, i, i + 1)
        const left = one.out.filter((by) => !before.has(by) || this.undone.has(by))
        made.put(letters.has(one.id) ? { ...one, out: withStep(left, step) } : one)
      }
    }
    return new Weave(made.all, this.undone, this.nextId)
  }

  /** With letters that are gone on the side of others’ words that they were on when these came. */
  parted(all: readonly Parted[], isMeant: (piece: Piece) => boolean): Weave {
    return all.reduce<Weave>((weave, one) => weave.#partedBy(one, isMeant), this)
  }

  #partedBy({ at, within, before, behind }: Parted, isMeant: (piece: Piece) => boolean): Weave {
    const parts: { piece: Piece; from: number; to: number }[] = []
    let place = 0
    for (const piece of this.pieces) {
      if (!this.stands(piece)) {
        const letters = isMeant(piece) && place >= within.start && place <= within.end ? piece.length : 1
        for (let i = 0; i < letters; i++) {
          const one = letters > 1 ? part(piece, i, i + 1) : piece
          parts.push({ piece: one, from: place, to: place })
        }
        continue
      }
      const [start, end] = [place, place + piece.length]
      place = end
      for (let from = start; from < end;) {
        const to = Math.min(end, ...[within.start, at.start, at.end, within.end].filter((cut) => cut > from))
        parts.push({ piece: part(piece, from - start, to - start), from, to })
        from = to
      }
    }
    const isPut = ({ from, to }: { from: number; to: number }) =>
      from < to && from >= at.start && to <= at.end
    const [first, last] = [parts.findIndex(isPut), parts.findLastIndex(isPut)]
    const isNear = ({ from, to }: { from: number; to: number }) => from >= within.start && to <= within.end
    const meant = parts.flatMap((one, i) =>
      one.from === one.to && isNear(one) && isMeant(one.piece) && (i < first || i > last) ? [i] : [],
    )
    const says = meant.map((i) => parts[i]!.piece.text).join('')
    let [from, to] = [first, last]
    for (const { a, b, length } of commonLetters(says, before + behind))
      for (let i = 0; i < length; i++) {
        const at = meant[a + i]!
        if (b + i >= before.length) from = Math.min(from, at)
        else to = Math.max(to, at)
      }
    if (first < 0 || (from === first && to === last)) return this
    // What is gone between goes along, and so stays in order.
    const goneIn = (start: number, end: number) =>
      new Set(parts.flatMap(({ from, to }, i) => (i >= start && i < end && from === to ? [i] : [])))
    const [right, left] = [goneIn(from, first), goneIn(last + 1, to + 1)]
    const made = new Gathered()
    for (const [i, { piece }] of parts.entries()) {
      if (i === first) for (const at of left) made.put(parts[at]!.piece)
      if (!left.has(i) && !right.has(i)) made.put(piece)
      if (i === last) for (const at of right) made.put(parts[at]!.piece)
    }
    return new Weave(made.all, this.undone, this.nextId)
  }

  /** With stretches of the text in other pieces; `ranges` are in order and don’t meet. */
  within<One extends { from: number; to: number }>(
    ranges: readonly One[],
    map: (piece: Piece, range: One) => Piece,
  ): Weave {
    const made = new Gathered()
    let [place, next] = [0, 0]
    for (const piece of this.pieces) {
      if (!this.stands(piece)) {
        made.put(piece)
        continue
      }
      const [start, end] = [place, place + piece.length]
      place = end
      let at = start
      while (next < ranges.length && ranges[next]!.to <= start) next++
      for (let i = next; i < ranges.length && ranges[i]!.from < end; i++) {
        const range = ranges[i]!
        const [begin, stop] = [Math.max(at, range.from), Math.min(end, range.to)]
        if (begin >= stop) continue
        made.put(part(piece, at - start, begin - start))
        made.put(map(part(piece, begin - start, stop - start), range))
        at = stop
      }
      made.put(part(piece, at - start, piece.length))
    }
    return new Weave(made.all, this.undone, this.nextId)
  }

  static made(pieces: readonly Piece[], undone: ReadonlySet<number>, nextId: number): Weave {
    return new Weave(pieces, undone, nextId)
  }

  /** The letters before and behind a place, for `placeOf`. */
  lettersAt(place: number): { before: number | null; behind: number | null } {
    let start = 0
    let before: number | null = null
    for (const piece of this.pieces) {
      if (!this.stands(piece)) continue
      const end = start + piece.length
      if (place < end)
        return {
          before: place > start ? piece.id + place - start - 1 : before,
          behind: piece.id + place - start,
        }
      before = piece.id + piece.length - 1
      start = end
    }
    return { before, behind: null }
  }

  /** Where a letter stands, or would; null of one that isn’t known. */
  placeOf(id: number): { place: number; isThere: boolean } | null {
    let place = 0
    for (const piece of this.pieces) {
      const isThere = this.stands(piece)
      if (id >= piece.id && id < piece.id + piece.length)
        return { place: isThere ? place + id - piece.id : place, isThere }
      if (isThere) place += piece.length
    }
    return null
  }
}

/** Pieces in the making: those that go on from one another are one. */
export class Gathered {
  readonly all: Piece[] = []

  put(piece: Piece): void {
    if (piece.length === 0) return
    const last = this.all.at(-1)
    const isOne =
      last !== undefined &&
      last.id + last.length === piece.id &&
      areSame(last.by, piece.by) &&
      areSame(last.out, piece.out)
    if (!isOne) this.all.push(piece)
    else
      this.all[this.all.length - 1] = {
        ...last,
        length: last.length + piece.length,
        text: last.text + piece.text,
      }
  }
}

const areSame = (one: readonly number[], other: readonly number[]) =>
  one === other || (one.length === other.length && one.every((step, i) => step === other[i]))

export const withStep = (all: readonly number[], step: number): readonly number[] =>
  all.includes(step) ? all : [...all, step]

export function part(piece: Piece, from: number, to: number): Piece {
  if (from === 0 && to === piece.length) return piece
  return { ...piece, id: piece.id + from, length: Math.max(0, to - from), text: piece.text.slice(from, to) }
}

/**
 * With letters that were written over by the same ones, which changes leave out: they are said to be both taken out and put
 * in.
 */
function withRewritten(splices: readonly Splice[], read: Read, { put, taken }: Labels): readonly Splice[] {
  if (put.length === 0 || taken.length === 0) return splices
  const all: Splice[] = []
  /** Both are in order, and each letter is in one of them only. */
  const between = (from: number, to: number, by: number) => {
    for (let i = 0, j = 0; i < taken.length && j < put.length;) {
      const [one, other] = [taken[i]!, put[j]!]
      const start = Math.max(from, one.from, other.from - by)
      const end = Math.min(to, one.to, other.to - by)
      if (start < end) all.push({ from: start, to: end, insert: read(start, end) })
      if (one.to < other.to - by) i++
      else j++
    }
  }
  let [at, by] = [0, 0]
  for (const splice of splices) {
    between(at, splice.from, by)
    all.push(splice)
    at = splice.to
    by += splice.insert.length - (splice.to - splice.from)
  }
  between(at, Infinity, by)
  return all.sort((a, b) => a.from - b.from || a.to - b.to)
}

/** With those that touch in one: what comes back may do so across them. */
function touching(splices: readonly Splice[]): Splice[] {
  const all: Splice[] = []
  for (const { from, to, insert } of splices) {
    const last = all.at(-1)
    if (last?.to === from) [last.to, last.insert] = [to, last.insert + insert]
    else all.push({ from, to, insert })
  }
  return all
}

/** A piece that is gone, or a stretch of the text that goes. */
interface Unit {
  piece: Piece | null
  from: number
  to: number
}

/** A change on its way through the pieces. */
class Changing {
  readonly weave: Weave
  readonly #before: Weave
  readonly #after: Weave
  readonly #read: Read
  readonly #labels: Labels
  readonly #made = new Gathered()
  /** Which piece is next, how much of it is done, and where that is in the text before. */
  #next = 0
  #offset = 0
  #place = 0
  #nextId: number
  /** The letters that have come back, and those that did so from elsewhere in the weave, which leave their place there. */
  readonly #back = new Set<number>()
  readonly #moved = new Set<number>()
  readonly #turn: { undo: readonly number[]; redo: readonly number[] }
  /** Letters and pieces that may still be compared, so that no change takes long, whatever it says. */
  #work = 2 * mostWork

  constructor(
    before: Weave,
    splices: readonly Splice[],
    read: Read,
    labels: Labels,
    { undo = [], redo = [] }: { undo?: readonly number[]; redo?: readonly number[] },
  ) {
    this.#before = before
    this.#turn = { undo, redo }
    this.#after = undo.length + redo.length > 0 ? before.counting(undo, redo) : before
    this.#read = read
    this.#labels = labels
    this.#nextId = before.nextId
    let shift = 0
    for (const splice of labels.takesBack ? touching(this.#withReturned(splices)) : touching(splices)) {
      this.#splice(splice, splice.from + shift)
      shift += splice.insert.length - (splice.to - splice.from)
    }
    while (this.#next < before.pieces.length) this.#keep()
    let { all } = this.#made
    if (this.#moved.size > 0) all = this.#withoutMoved(all)
    this.weave = this.#named(Weave.made(all, this.#after.undone, this.#nextId))
  }

  /** With letters that go and come back as the same ones, which the change leaves out. */
  #withReturned(splices: readonly Splice[]): readonly Splice[] {
    const all = [...splices]
    let place = 0
    for (const piece of this.#before.pieces) {
      if (!this.#before.stands(piece)) continue
      const [start, end] = [place, place + piece.length]
      place = end
      if (this.#after.stands(piece)) continue
      let at = start
      for (const { from, to } of splices) {
        if (to <= at || from >= end) continue
        if (at < from) all.push({ from: at, to: from, insert: this.#read(at, from) })
        at = Math.max(at, to)
      }
      if (at < end) all.push({ from: at, to: end, insert: this.#read(at, end) })
    }
    return all.length === splices.length ? splices : all.sort((a, b) => a.from - b.from || a.to - b.to)
  }

  #splice({ from, to, insert }: Splice, start: number): void {
    const { pieces } = this.#before
    while (this.#place < from) this.#keep(from)
    if (this.#labels.takesBack && insert !== '' && this.#work > 0) {
      this.#work -= pieces.length
      return this.#comeBack(insert, start, this.#unitsOf(from, to))
    }
    if (from < to) {
      const isReplaced = this.#replacedSince()
      while (this.#place < to) this.#take(from, to, isReplaced)
    }
    if (insert === '') return
    const gap: Pick<Piece, 'text' | 'out'>[] = []
    if (from === to && this.#offset === 0)
      for (let i = this.#next; i < pieces.length && !this.#before.stands(pieces[i]!); i++)
        gap.push(pieces[i]!)
    const before = this.#read(this.#place - 1, this.#place)
    const count = sideOf(gap, insert, before, this.#replacedSince())
    for (let i = 0; i < count; i++) this.#keep()
    this.#putNew(insert, start)
  }

  /** What goes or is gone where a change puts something. */
  #unitsOf(from: number, to: number): Unit[] {
    const { pieces } = this.#before
    const units: Unit[] = []
    let [place, offset] = [from, this.#offset]
    for (let i = this.#next; i < pieces.length; i++) {
      const piece = pieces[i]!
      if (!this.#before.stands(piece)) {
        // Not within a piece.
        if (offset === 0) units.push({ piece, from: place, to: place })
        continue
      }
      if (place >= to) break
      const end = Math.min(to, place + piece.length - offset)
      units.push({ piece: null, from: place, to: end })
      if (end === to && end < place + piece.length - offset) break
      ;[place, offset] = [end, 0]
    }
    return from === to && this.#offset > 0 ? [] : units
  }

  /** Leaves a piece, or what of it is before a place, as it is. */
  #keep(upTo = Infinity): void {
    const piece = this.#before.pieces[this.#next]!
    if (!this.#before.stands(piece)) {
      this.#putGone(piece)
      this.#next++
      return
    }
    const length = Math.min(piece.length - this.#offset, upTo - this.#place)
    this.#putStanding(part(piece, this.#offset, this.#offset + length))
    this.#advance(piece, length)
  }

  #advance(piece: Piece, length: number): void {
    this.#place += length
    this.#offset += length
    if (this.#offset === piece.length) [this.#next, this.#offset] = [this.#next + 1, 0]
  }

  /** It stays in the text, also if nothing that counts has written it. */
  #putStanding(piece: Piece): void {
    if (this.#after.stands(piece)) return this.#made.put(piece)
    this.#made.put(this.#stood(piece))
  }

  #stood(piece: Piece): Piece {
    const { undone } = this.#after
    const by = piece.by.every((step) => undone.has(step)) ? [...piece.by, this.#labels.otherwise] : piece.by
    return { ...piece, by, out: piece.out.filter((step) => undone.has(step)), text: '' }
  }

  /** It stays gone, though nothing that counts has taken it out. */
  #putGone(piece: Piece): void {
    this.#made.put(
      this.#after.stands(piece) ? { ...piece, out: [...piece.out, this.#labels.otherwise] } : piece,
    )
  }

  /** The steps whose letters stand next: what they were written over goes with them. */
  #replacedSince(): readonly number[] {
    for (let i = this.#next; i < this.#before.pieces.length; i++)
      if (this.#before.stands(this.#before.pieces[i]!)) return this.#before.pieces[i]!.by
    return []
  }

  #take(from: number, to: number, replacedBy: readonly number[]): void {
    const piece = this.#before.pieces[this.#next]!
    if (!this.#before.stands(piece)) {
      this.#next++
      const isOver = this.#isAmidTaken(from) || piece.out.some((step) => replacedBy.includes(step))
      if (!isOver || this.#labels.takesBack) return this.#putGone(piece)
      return this.#made.put({ ...piece, out: withStep(piece.out, this.#takenBy(this.#place)) })
    }
    const length = Math.min(
      piece.length - this.#offset,
      to - this.#place,
      this.#labelEnd(this.#place) - this.#place,
    )
    const one = part(piece, this.#offset, this.#offset + length)
    const gone = { ...one, text: this.#read(this.#place, this.#place + length) }
    this.#made.put(this.#after.stands(one) ? this.#taken(gone) : gone)
    this.#advance(piece, length)
  }

  /** Whether what goes from a place on goes on here: between two stretches that were taken out others may have stood. */
  #isAmidTaken(from: number): boolean {
    const { taken } = this.#labels
    const isAmid = (one: Labelled) => one.from < this.#place && this.#place < one.to
    return this.#place > from && (taken.length === 0 || taken.some(isAmid))
  }

  #taken(piece: Piece): Piece {
    const [undone] = this.#turn.undo
    // What undo takes out that nobody is known to have written was written by that step.
    const isKnown = piece.by.some((step) => isNamed(step) && !this.#after.undone.has(step))
    if (undone !== undefined && !this.#isLabelled(this.#place) && !isKnown)
      return { ...piece, by: [...piece.by.filter(isNamed), undone] }
    return { ...piece, out: withStep(piece.out, this.#takenBy(this.#place)) }
  }

  #isLabelled(place: number): boolean {
    return this.#labels.taken.some(({ from, to }) => from <= place && place < to)
  }

  #takenBy(place: number): number {
    const label = this.#labels.taken.find(({ from, to }) => from <= place && place < to)
    const { takenOtherwise, otherwise } = this.#labels
    // One that doesn’t count takes nothing out.
    const counting = [label?.step, takenOtherwise, this.#turn.redo[0]].find(
      (step) => step !== undefined && !this.#after.undone.has(step),
    )
    return counting ?? otherwise
  }

  /** Up to where the same step has taken it out. */
  #labelEnd(place: number): number {
    let end = Infinity
    for (const { from, to } of this.#labels.taken) {
      if (from > place) end = Math.min(end, from)
      if (to > place) end = Math.min(end, to)
    }
    return end
  }

  /** New letters, by whom the labels say. */
  #putNew(text: string, start: number): void {
    let at = start
    const end = start + text.length
    const put = (to: number, step: number) => {
      if (at >= to) return
      this.#made.put(this.#stood({ id: this.#nextId, length: to - at, by: [step], out: [], text: '' }))
      this.#nextId += to - at
      at = to
    }
    for (const { from, to, step } of this.#labels.put) {
      if (to <= at || from >= end) continue
      put(from, this.#labels.otherwise)
      put(Math.min(to, end), step)
    }
    put(end, this.#labels.otherwise)
  }

  /** Letters of which some have stood before: where they belong there, else wherever they are. */
  #comeBack(text: string, start: number, units: readonly Unit[]): void {
    const isGuess = this.#turn.undo.length + this.#turn.redo.length === 0
    const unitOf = units.flatMap(({ piece }, i) => new Array<number>(piece?.length ?? 0).fill(i))
    const gone = units.flatMap(({ piece }) => (piece ? lettersOf(piece) : []))
    const { letters, others } = isGuess
      ? { letters: likely(gone.map(({ says }) => says).join(''), text), others: new Map<number, Letter>() }
      : this.#whichComeBack(text, gone, this.#labelled(text, start))
    for (const at of letters.values()) this.#back.add(gone[at]!.id)
    let next = 0
    /** What is before that stays gone, or goes. */
    const goTo = (unit: number, offset = 0) => {
      for (; next < unit; next++) {
        const { piece, from, to } = units[next]!
        if (piece && this.#gone === 0) this.#keep()
        else if (piece) {
          this.#restGone(Infinity)
          ;[this.#gone, this.#next] = [0, this.#next + 1]
        } else while (this.#place < to) this.#take(from, to, [])
      }
      this.#restGone(offset - this.#gone)
    }
    // What is turned is gone before anything comes.
    const isFixed = ({ piece, from }: Unit) => piece === null && (isGuess || this.#isLabelled(from))
    let at = 0
    while (at < text.length) {
      const letter = letters.get(at)
      if (letter === undefined) {
        let end = at + 1
        while (end < text.length && !letters.has(end)) end++
        const behind = letters.get(end)
        const [stop, offset] =
          behind === undefined
            ? [units.length, 0]
            : [unitOf[behind]!, gone[behind]!.id - gone[behind]!.piece.id]
        if (!isGuess || letters.size === 0) {
          const last = units.slice(0, stop).findLastIndex(isFixed)
          goTo(Math.max(next, last + 1), next > last ? this.#gone : 0)
          const gap: Pick<Piece, 'text' | 'out'>[] = []
          for (let i = next; i < Math.min(stop + 1, units.length); i++) {
            const { piece, from, to } = units[i]!
            const said = piece?.text ?? this.#read(from, to)
            const rest = said.slice(i === next ? this.#gone : 0, i === stop ? offset : undefined)
            if (rest !== '') gap.push({ text: rest, out: piece?.out ?? [] })
          }
          const by = behind === undefined ? this.#writersBehind(units) : gone[behind]!.piece.by
          const count = sideOf(
            gap,
            text.slice(at, end),
            text[at - 1] ?? this.#read(this.#place - 1, this.#place),
            by,
          )
          if (count === gap.length) goTo(stop, offset)
          else if (count > 0) goTo(next + count)
        }
        if (!isGuess || !this.#putLikely(text.slice(at, end), start + at))
          this.#putElse(text.slice(0, end), at, { start, others })
        at = end
        continue
      }
      const { piece, id } = gone[letter]!
      goTo(unitOf[letter]!, id - piece.id)
      let length = 1
      while (letters.get(at + length) === letter + length && this.#gone + length < piece.length) length++
      this.#made.put(this.#stood(part(piece, this.#gone, this.#gone + length)))
      this.#gone += length
      at += length
      if (this.#gone === piece.length) [this.#gone, this.#next, next] = [0, this.#next + 1, next + 1]
    }
    goTo(
      Math.max(
        units.findLastIndex(({ piece }) => piece === null),
        this.#gone > 0 ? next : -1,
      ) + 1,
    )
  }

  /** The steps whose letters stand behind what goes or is gone. */
  #writersBehind(units: readonly Unit[]): readonly number[] {
    const { pieces } = this.#before
    let place = units.at(-1)?.to ?? 0
    return pieces.find((piece) => this.#before.stands(piece) && (place -= piece.length) < 0)?.by ?? []
  }

  /** Whether what is turned has taken it out, or written it. */
  #isTurned({ by, out }: Piece): boolean {
    const { undo, redo } = this.#turn
    return out.some((step) => undo.includes(step)) || by.some((step) => redo.includes(step))
  }

  /** Whether it would stand but for steps of which it isn’t known whose they are. */
  #isGoneBySomebody({ by, out }: Piece): boolean {
    const counts = (step: number) => !this.#after.undone.has(step)
    return by.some(counts) && out.every((step) => !counts(step) || !isNamed(step))
  }

  /** How much of the piece that is next, and gone, is done. */
  #gone = 0

  #restGone(length: number): void {
    const piece = this.#before.pieces[this.#next]!
    if (length <= 0) return
    const end = Math.min(piece.length, this.#gone + length)
    this.#putGone(part(piece, this.#gone, end))
    this.#gone = end
  }

  /** Which letters of what comes a step is said to have written. */
  #labelled(text: string, start: number): Map<number, number> {
    const found = new Map<number, number>()
    for (const { from, to, step } of this.#labels.put)
      for (let at = Math.max(from, start); at < Math.min(to, start + text.length); at++)
        found.set(at - start, step)
    return found
  }

  /**
   * Which letters come back as which ones that are gone, by their places, and which from elsewhere. Those that should stand
   * now go first, wherever they are; then those that are turned; and what no step of theirs has written can but come back.
   */
  #whichComeBack(text: string, gone: readonly Letter[], labels: ReadonlyMap<number, number>) {
    const letters = new Map<number, number>()
    const others = new Map<number, Letter>()
    const pieces = [...new Set(gone.map(({ piece }) => piece))]
    const isLeft = (at: number) => !letters.has(at) && !others.has(at)
    const isDue = ({ piece }: Letter) => this.#after.stands(piece)
    const isFit = (letter: Letter, step: number | undefined) =>
      !this.#back.has(letter.id) && (step === undefined || letter.piece.by.includes(step))
    const match = (
      step: number | undefined,
      isMeant: (letter: Letter) => boolean,
      [start, end]: [number, number],
      [from, to]: [number, number],
    ) => {
      const free: number[] = []
      const fit: number[] = []
      for (let i = start; i < end; i++) if (isLeft(i) && labels.get(i) === step) free.push(i)
      for (let i = from; i < to && free.length > 0; i++)
        if (isFit(gone[i]!, step) && isMeant(gone[i]!)) fit.push(i)
      if (fit.length === 0) return
      const said = (all: readonly number[], sayOf: (at: number) => string) => all.map(sayOf).join('')
      this.#work -= fit.length * Math.min(free.length, mostWork / fit.length)
      if (this.#work < 0) return
      const [a, b] = [said(fit, (i) => gone[i]!.says), said(free, (i) => text[i]!)]
      for (const same of commonLetters(a, b))
        for (let i = 0; i < same.length; i++) letters.set(free[same.b + i]!, fit[same.a + i]!)
    }
    const here = (isMeant: (letter: Letter) => boolean) => {
      if (letters.size + others.size === text.length) return
      const left = new Set<number | undefined>()
      for (let at = 0; at < text.length; at++) if (isLeft(at)) left.add(labels.get(at))
      // What is known to be of a step goes first.
      for (const step of new Set([...labels.values(), undefined])) {
        if (!left.has(step)) continue
        if (step !== undefined && !pieces.some(({ by }) => by.includes(step))) continue
        // Between those that are known, which stay in order.
        const known = [...letters].sort(([a], [b]) => a - b)
        let [at, from] = [0, 0]
        for (const [end, to] of [...known, [text.length, gone.length] as const]) {
          if (at < end && from < to) match(step, isMeant, [at, end], [from, to])
          ;[at, from] = [end + 1, to + 1]
        }
      }
    }
    const elsewhere = (isMeant: (letter: Letter) => boolean) => {
      if (letters.size + others.size === text.length || this.#work <= 0) return
      this.#work -= this.#before.pieces.length
      const pieces = this.#before.pieces.filter(
        (piece) => !this.#before.stands(piece) && isMeant({ piece, id: piece.id, says: '' }),
      )
      const length = pieces.reduce((sum, one) => sum + one.length, 0)
      for (let at = 0; length > 0 && at < text.length && this.#work > 0;) {
        const isNext = (letter: Letter, i: number) => isLeft(i) && isFit(letter, labels.get(i))
        const found = isLeft(at) ? longestFrom(text, at, pieces, isNext) : []
        if (isLeft(at)) this.#work -= length
        for (const [i, letter] of found.entries()) {
          others.set(at + i, letter)
          this.#move(letter.id)
        }
        at += Math.max(1, found.length)
      }
    }
    here(isDue)
    for (const at of letters.values()) this.#back.add(gone[at]!.id)
    elsewhere(isDue)
    here((letter) => this.#isTurned(letter.piece))
    here((letter) => this.#isGoneBySomebody(letter.piece))
    here(() => true)
    for (const at of letters.values()) this.#back.add(gone[at]!.id)
    elsewhere((letter) => this.#isTurned(letter.piece))
    elsewhere(() => true)
    return { letters, others }
  }

  /** Letters from a place on that don’t come back where they were: from elsewhere, or new. */
  #putElse(
    text: string,
    from: number,
    { start, others }: { start: number; others: ReadonlyMap<number, Letter> },
  ) {
    let fresh = from
    for (let at = from; at <= text.length; at++) {
      const letter = others.get(at)
      if (!letter && at < text.length) continue
      if (fresh < at) this.#putNew(text.slice(fresh, at), start + fresh)
      if (letter) this.#made.put(this.#stood(partAt(letter)))
      fresh = at + 1
    }
  }

  /** Words that were gone at another place, as a merge brings them back there; false where there are none. */
  #putLikely(text: string, start: number): boolean {
    if (text.length < fewLetters) return false
    let best: { pieces: Piece[]; common: Common[]; count: number } | null = null
    let pieces: Piece[] = []
    const look = () => {
      const all = pieces.map((piece) => piece.text).join('')
      if (all.length >= fewLetters && all.length <= text.length * 3) {
        const common = commonLetters(all, text).filter(({ b, length }) =>
          areTelling(text.slice(b, b + length)),
        )
        const count = common.reduce((sum, one) => sum + one.length, 0)
        if (count * 2 > all.length && count > (best?.count ?? 0)) best = { pieces, common, count }
      }
      pieces = []
    }
    for (const piece of this.#before.pieces)
      if (this.#before.stands(piece)) look()
      else if (!this.#back.has(piece.id)) pieces.push(piece)
    look()
    const found = best as { pieces: Piece[]; common: Common[] } | null
    if (!found) return false
    let at = 0
    for (const { a, b, length } of found.common) {
      if (at < b) this.#putNew(text.slice(at, b), start + at)
      let place = 0
      for (const piece of found.pieces) {
        const [from, to] = [Math.max(a, place) - place, Math.min(a + length, place + piece.length) - place]
        place += piece.length
        if (from >= to) continue
        const one = part(piece, from, to)
        this.#made.put(this.#stood(one))
        for (let i = 0; i < one.length; i++) this.#move(one.id + i)
      }
      at = b + length
    }
    if (at < text.length) this.#putNew(text.slice(at), start + at)
    return true
  }

  #move(letter: number): void {
    this.#back.add(letter)
    this.#moved.add(letter)
  }

  #withoutMoved(all: readonly Piece[]): Piece[] {
    const made = new Gathered()
    for (const piece of all) {
      let at = 0
      const isGone = !this.#standsIn(piece)
      for (let i = 0; isGone && i < piece.length; i++) {
        if (!this.#moved.has(piece.id + i)) continue
        made.put(part(piece, at, i))
        at = i + 1
      }
      made.put(part(piece, at, piece.length))
    }
    return made.all
  }

  #standsIn(piece: Piece): boolean {
    return this.#after.stands(piece)
  }

  /** What stood before and somebody else has written as well. */
  #named(weave: Weave): Weave {
    return weave.within(this.#labels.put, (piece, { step }) =>
      piece.by.includes(step) ? piece : { ...piece, by: [...piece.by.filter(isNamed), step] },
    )
  }
}

/** One of a piece that is gone. */
interface Letter {
  piece: Piece
  id: number
  says: string
}

const lettersOf = (piece: Piece): Letter[] =>
  Array.from({ length: piece.length }, (_, i) => ({ piece, id: piece.id + i, says: piece.text[i]! }))

const partAt = ({ piece, id }: Letter) => part(piece, id - piece.id, id - piece.id + 1)

/** As many letters of one of the pieces as a text goes on with at a place. */
function longestFrom(
  text: string,
  at: number,
  pieces: readonly Piece[],
  isNext: (letter: Letter, at: number) => boolean,
): Letter[] {
  let best: Letter[] = []
  for (const piece of pieces)
    for (
      let from = piece.text.indexOf(text[at]!);
      from >= 0;
      from = piece.text.indexOf(text[at]!, from + 1)
    ) {
      const letters: Letter[] = []
      for (let i = 0; from + i < piece.length && at + i < text.length; i++) {
        const letter = { piece, id: piece.id + from + i, says: piece.text[from + i]! }
        if (letter.says !== text[at + i] || !isNext(letter, at + i)) break
        letters.push(letter)
      }
      if (letters.length > best.length) best = letters
    }
  return best
}

/** Which letters of a text are likely those of what is gone, of which nothing else is known. */
function likely(gone: string, text: string): Map<number, number> {
  const letters = new Map<number, number>()
  for (const { a, b, length } of commonLetters(gone, text))
    if (areTelling(text.slice(b, b + length))) for (let i = 0; i < length; i++) letters.set(b + i, a + i)
  return letters
}

/** Of fewer it isn’t told whether they are the same. */
const fewLetters = 8

/** Whether letters that are alike are likely the same. */
const areTelling = (text: string) => text.trim().length > 2

/**
 * Before how many of the pieces that are gone at a place something comes: behind what was taken out of the line there,
 * before lines that were taken out behind it and what was written over by what stands there, and where it goes on with
 * a word right behind that. All are to come to the same order, in however
 * many parts it reaches them: so only the first letter counts.
 */
export function sideOf(
  all: readonly Pick<Piece, 'text' | 'out'>[],
  insert: string,
  before: string,
  replacedBy: readonly number[],
): number {
  const gap = all.slice(0, all.findLastIndex(({ out }) => !out.some((one) => replacedBy.includes(one))) + 1)
  if (gap.length === 0) return 0
  const gone = gap.map(({ text }) => text).join('')
  if (ofWord.test(insert[0]!) && ofWord.test(before) && !/^[\p{L}\p{N}\p{M}_'’]*$/u.test(gone)) return 0
  const line = gap.findIndex(({ text }) => text.startsWith('\n'))
  return line < 0 ? gap.length : line
}

const ofWord = /[\p{L}\p{N}\p{M}_'’]/u
