import { commonLetters, type Common } from './common.ts'

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

  /** With letters that are gone taken out by one more step. */
  outOf(letters: ReadonlySet<number>, step: number): Weave {
    if (letters.size === 0) return this
    const made = new Gathered()
    for (const piece of this.pieces) {
      if (this.stands(piece)) {
        made.put(piece)
        continue
      }
      for (let i = 0; i < piece.length; i++) {
        const one = part(piece, i, i + 1)
        made.put(letters.has(one.id) ? { ...one, out: withStep(one.out, step) } : one)
      }
    }
    return new Weave(made.all, this.undone, this.nextId)
  }

  /** With stretches of the text in other pieces. */
  within(ranges: readonly { from: number; to: number }[], map: (piece: Piece) => Piece): Weave {
    const made = new Gathered()
    let place = 0
    for (const piece of this.pieces) {
      if (!this.stands(piece)) {
        made.put(piece)
        continue
      }
      const [start, end] = [place, place + piece.length]
      place = end
      let at = start
      for (const { from, to } of ranges) {
        const [begin, stop] = [Math.max(at, from), Math.min(end, to)]
        if (begin >= stop) continue
        made.put(part(piece, at - start, begin - start))
        made.put(map(part(piece, begin - start, stop - start)))
        at = stop
      }
      made.put(part(piece, at - start, piece.length))
    }
    return new Weave(made.all, this.undone, this.nextId)
  }

  /** With letters of the text as new ones of a step, in place of the same ones that another has taken out. */
  rewritten(
    { from, to }: { from: number; to: number },
    { step, takenBy }: { step: number; takenBy: number },
    read: Read,
    isOf: (piece: Piece) => boolean,
  ): Weave {
    const made = new Gathered()
    let [place, nextId] = [0, this.nextId]
    for (const piece of this.pieces) {
      if (!this.stands(piece)) {
        made.put(piece)
        continue
      }
      const [start, end] = [Math.max(place, from), Math.min(place + piece.length, to)]
      if (start >= end || !isOf(piece)) made.put(piece)
      else {
        made.put(part(piece, 0, start - place))
        const gone = part(piece, start - place, end - place)
        made.put({ ...gone, out: withStep(gone.out, takenBy), text: read(start, end) })
        made.put({ id: nextId, length: end - start, by: [step], out: [], text: '' })
        nextId += end - start
        made.put(part(piece, end - place, piece.length))
      }
      place += piece.length
    }
    return new Weave(made.all, this.undone, nextId)
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

/** Gathered in the making: those that go on from one another are one. */
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
  const between = (from: number, to: number, by: number) => {
    for (const one of taken)
      for (const other of put) {
        const start = Math.max(from, one.from, other.from - by)
        const end = Math.min(to, one.to, other.to - by)
        if (start < end) all.push({ from: start, to: end, insert: read(start, end) })
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
  /** What has come back from elsewhere in the weave, which leaves its place there. */
  readonly #moved = new Map<number, number>()
  readonly #turn: { undo: readonly number[]; redo: readonly number[] }

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
    for (const splice of labels.takesBack ? touching(this.#withReturned(splices)) : splices) {
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
    if (this.#labels.takesBack && insert !== '') return this.#comeBack(insert, start, this.#unitsOf(from, to))
    if (from < to) {
      const isReplaced = this.#replacedSince()
      while (this.#place < to) this.#take(from, to, isReplaced)
    }
    if (insert === '') return
    const gap: Piece[] = []
    if (from === to && this.#offset === 0)
      for (let i = this.#next; i < pieces.length && !this.#before.stands(pieces[i]!); i++)
        gap.push(pieces[i]!)
    const count = this.#sideOf(gap, insert)
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
      const isOver = this.#place > from || piece.out.some((step) => replacedBy.includes(step))
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
    return label?.step ?? takenOtherwise ?? this.#turn.redo[0] ?? otherwise
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
      this.#made.put({ id: this.#nextId, length: to - at, by: [step], out: [], text: '' })
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
    const labels = this.#labelled(text, start)
    const dueIf = (isDue: (piece: Piece) => boolean) =>
      units.map(({ piece }) => (piece && isDue(piece) && !this.#moved.has(piece.id) ? piece.text : ''))
    let due = dueIf((piece) => isGuess || this.#after.stands(piece))
    let common = commonLetters(due.join(''), text)
    if (!isGuess && common.reduce((sum, { length }) => sum + length, 0) < text.length) {
      due = dueIf((piece) => this.#after.stands(piece) || this.#isTurned(piece))
      common = commonLetters(due.join(''), text)
    }
    // What was taken out by nobody knows whom.
    if (!isGuess && common.reduce((sum, { length }) => sum + length, 0) < text.length) {
      due = dueIf((piece) => this.#after.stands(piece) || this.#isTurned(piece) || this.#isGoneBySomebody(piece))
      common = commonLetters(due.join(''), text)
    }
    // What no step of theirs has written can but come back.
    if (!isGuess && common.reduce((sum, { length }) => sum + length, 0) < text.length) {
      due = dueIf(() => true)
      common = commonLetters(due.join(''), text)
    }
    if (isGuess) common = common.filter((one) => areTelling(text.slice(one.b, one.b + one.length)))
    // Letter by letter of what comes: which letter of the gap it is.
    const letters = new Map<number, number>()
    const ofUnits = units.flatMap(({ piece }, i) => Array.from({ length: due[i]!.length }, () => piece!))
    for (const { a, b, length } of common)
      for (let i = 0; i < length; i++) {
        const step = labels.get(b + i)
        if (step === undefined || ofUnits[a + i]!.by.includes(step)) letters.set(b + i, a + i)
      }
    let [next, before] = [0, 0]
    const skip = (end: number) => {
      for (; next < end; next++) {
        before += due[next]!.length
        const { piece, from, to } = units[next]!
        if (piece) this.#keep()
        else while (this.#place < to) this.#take(from, to, [])
      }
    }
    /** A piece of which some came back. */
    const leave = () => {
      this.#restGone(Infinity)
      before += due[next]!.length
      ;[this.#gone, this.#next, next] = [0, this.#next + 1, next + 1]
    }
    const lastStanding = units.findLastIndex(({ piece }) => piece === null)
    if (letters.size === 0) {
      skip(lastStanding + 1)
      const gap = units.slice(lastStanding + 1).flatMap(({ piece }) => piece ?? [])
      skip(lastStanding + 1 + this.#sideOf(gap, text))
    }
    let at = 0
    while (at < text.length) {
      const letter = letters.get(at)
      if (letter === undefined) {
        let end = at + 1
        while (end < text.length && !letters.has(end)) end++
        this.#putElse(text.slice(at, end), start + at, isGuess)
        at = end
        continue
      }
      // What is before it in the gap stays gone.
      while (before + due[next]!.length <= letter) {
        if (this.#gone > 0) leave()
        else skip(next + 1)
      }
      this.#restGone(letter - before - this.#gone)
      const piece = this.#before.pieces[this.#next]!
      let length = 1
      while (letters.get(at + length) === letter + length && this.#gone + length < piece.length) length++
      this.#made.put(this.#stood(part(piece, this.#gone, this.#gone + length)))
      this.#gone += length
      at += length
      if (this.#gone === piece.length) leave()
    }
    if (this.#gone > 0) leave()
    skip(lastStanding + 1)
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

  #sideOf(gap: readonly Piece[], insert: string): number {
    const before = this.#read(this.#place - 1, this.#place)
    return sideOf(
      gap.map(({ text }) => text),
      before,
      insert,
    )
  }

  /** How much of the piece that is next, and gone, is done. */
  #gone = 0

  #restGone(length: number): void {
    const piece = this.#before.pieces[this.#next]!
    const end = Math.min(piece.length, this.#gone + length)
    if (end <= this.#gone) return
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

  /** Letters that don’t come back at this place. */
  #putElse(text: string, start: number, isGuess: boolean): void {
    if (isGuess && this.#putLikely(text, start)) return
    let at = 0
    let fresh = 0
    const flush = () => {
      if (fresh < at) this.#putNew(text.slice(fresh, at), start + fresh)
    }
    while (at < text.length) {
      const label = this.#labels.put.find(({ from, to }) => from <= start + at && start + at < to)
      const end = label ? Math.min(text.length, label.to - start) : text.length
      const piece = isGuess ? null : this.#elsewhere(text.slice(0, end), at, label?.step)
      if (!piece) {
        at++
        continue
      }
      flush()
      this.#made.put(this.#stood(piece))
      this.#moved.set(piece.id, piece.length)
      at += piece.length
      fresh = at
    }
    flush()
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
      else if (!this.#moved.has(piece.id)) pieces.push(piece)
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
        this.#moved.set(one.id, one.length)
      }
      at = b + length
    }
    if (at < text.length) this.#putNew(text.slice(at), start + at)
    return true
  }

  /** What should stand now and is gone somewhere else. */
  #elsewhere(text: string, at: number, step: number | undefined): Piece | null {
    let [best, other]: (Piece | null)[] = [null, null]
    for (const piece of this.#before.pieces) {
      if (this.#before.stands(piece) || this.#moved.has(piece.id)) continue
      if (step !== undefined && !piece.by.includes(step)) continue
      const length = commonStart(piece.text, text.slice(at, at + piece.length))
      if (!this.#after.stands(piece) && !this.#isTurned(piece)) {
        if (length > (other?.length ?? 0)) other = part(piece, 0, length)
      } else if (length > (best?.length ?? 0)) best = part(piece, 0, length)
    }
    return best ?? other ?? null
  }

  #withoutMoved(all: readonly Piece[]): Piece[] {
    const made = new Gathered()
    for (const piece of all) {
      if (this.#standsIn(piece)) {
        made.put(piece)
        continue
      }
      let at = 0
      for (const [id, length] of [...this.#moved].sort(([one], [other]) => one - other)) {
        const from = Math.max(id, piece.id) - piece.id
        const to = Math.min(id + length, piece.id + piece.length) - piece.id
        if (from >= to || from < at) continue
        made.put(part(piece, at, from))
        at = to
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
    let now = weave
    for (const { from, to, step } of this.#labels.put)
      now = now.within([{ from, to }], (piece) =>
        piece.by.includes(step) ? piece : { ...piece, by: [...piece.by.filter(isNamed), step] },
      )
    return now
  }
}

/**
 * Before how many of the pieces that are gone at a place something comes: behind what was taken out of the line there,
 * before lines that were taken out behind it, where it goes on with a word right behind that, and where it keeps itself apart
 * from what comes behind. All are to come to the same order, in however many parts it reaches them: so mostly the first letter
 * counts.
 */
export function sideOf(gap: readonly string[], before: string, insert: string): number {
  if (gap.length === 0) return 0
  const gone = gap.join('')
  if (ofWord.test(insert[0]!) && ofWord.test(before) && !/^[\p{L}\p{N}\p{M}_'’]*$/u.test(gone)) return 0
  if (/^\S.*\s$/su.test(insert) && !ofWord.test(before) && /^\S+$/.test(gone)) return 0
  const line = gap.findIndex((text) => text.startsWith('\n'))
  return line < 0 ? gap.length : line
}

function commonStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  return at
}

/** Of fewer it isn’t told whether they are the same. */
const fewLetters = 8

/** Whether letters that are alike are likely the same. */
const areTelling = (text: string) => text.trim().length > 2

const ofWord = /[\p{L}\p{N}\p{M}_'’]/u
