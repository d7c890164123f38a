import type { ChangesJson } from '../../../server/domain/change-set.ts'
import type { HistoryEntry } from '../../../server/contract/records/versions.ts'
import { commonEnds } from '../../../server/domain/common-ends.ts'
import { changePieces, lengthOf, textOf, withAuthorsOf, type AuthoredPiece } from './authorship.ts'

/** One change of a text, with all that it inserts, and who made it. */
export interface Moment {
  revision: number
  /** Milliseconds. */
  at: number
  /** Whose words it brought. */
  author: number
  entry: Omit<HistoryEntry, 'changes'>
  changes: ChangesJson
}

/** Whole texts are kept in pieces, so many moments apart; further apart where they have very many pieces. */
const apart = 32
/** Pieces are shared by the texts that they stand in: this many references are some tens of megabytes. */
const mostPieces = 4_000_000

/**
 * How a text came to be, moment by moment, and who wrote each piece of it. Any moment is some changes away from one that
 * is kept whole.
 */
export class Timeline {
  readonly #moments: Moment[] = []
  /** By the index of their moment. */
  readonly #kept = new Map<number, readonly AuthoredPiece[]>()
  #keptPieces = 0
  #apart = apart
  readonly #keepAtMost: number
  #newest: readonly AuthoredPiece[] = []
  /** The text that was asked for last. */
  #last: { index: number; pieces: readonly AuthoredPiece[] } | null = null
  /** The newest moment of each text, by its hash and length: what is restored is known again. */
  readonly #byHash = new Map<string, number>()
  /** Which moment each restored one is the text of. */
  readonly #sources = new Map<number, number>()
  readonly #byRevision = new Map<number, number>()

  constructor(keepAtMost = mostPieces) {
    this.#keepAtMost = keepAtMost
  }

  get length(): number {
    return this.#moments.length
  }
  get newestText(): string {
    return textOf(this.#newest)
  }
  get lastRevision(): number {
    return this.#moments.at(-1)?.revision ?? 0
  }

  moment(index: number): Moment {
    const moment = this.#moments[index]
    if (!moment) throw new RangeError(`There is no moment ${index}`)
    return moment
  }

  /** The moment of a revision: its own, or the last before it; -1 where there is none. */
  indexOf(revision: number): number {
    const exact = this.#byRevision.get(revision)
    if (exact !== undefined) return exact
    return this.#moments.findLastIndex((moment) => moment.revision <= revision)
  }

  /**
   * A change that comes after all that are here.
   * @throws RangeError where it is one of another text than the newest
   */
  append(moment: Moment): void {
    const index = this.length
    const source = moment.entry.kind === 'restore' ? this.#byHash.get(nameOf(moment)) : undefined
    if (source !== undefined) this.#sources.set(index, source)
    const pieces = this.#after(this.#newest, moment, index)
    if (lengthOf(pieces) !== moment.entry.size) {
      this.#sources.delete(index)
      throw new RangeError('The change leads to another text')
    }
    this.#moments.push(moment)
    this.#newest = pieces
    this.#byRevision.set(moment.revision, index)
    if (moment.entry.hash !== null) this.#byHash.set(nameOf(moment), index)
    // What was restored costs nothing to keep, and isn't looked for twice.
    if (index % this.#apart === 0 || source !== undefined) this.#keep(index, pieces)
  }

  /** The text after a moment; before the first, -1, there is none. */
  piecesAt(index: number): readonly AuthoredPiece[] {
    if (index < 0) return []
    if (index === this.length - 1) return this.#newest
    let from = index
    while (from !== this.#last?.index && !this.#kept.has(from)) from--
    let pieces = from === this.#last?.index ? this.#last.pieces : this.#kept.get(from)!
    for (let i = from + 1; i <= index; i++) pieces = this.#after(pieces, this.moment(i), i)
    this.#last = { index, pieces }
    return pieces
  }

  /** The text after a moment, with what was added and removed since another one. */
  marked(from: number, to: number): readonly AuthoredPiece[] {
    let pieces = this.piecesAt(from)
    for (let i = from + 1; i <= to; i++) pieces = this.#after(pieces, this.moment(i), i, true)
    return pieces
  }

  textAt = (index: number): string => textOf(this.piecesAt(index))

  #after(
    pieces: readonly AuthoredPiece[],
    moment: Moment,
    index: number,
    marked = false,
  ): readonly AuthoredPiece[] {
    const after = changePieces(pieces, moment.changes, moment.author, marked)
    const source = this.#sources.get(index)
    if (source === undefined) return after
    // Words that come back are still those of whoever wrote them.
    const restored = this.piecesAt(source)
    return marked ? withAuthorsOf(after, restored) : restored
  }

  #keep(index: number, pieces: readonly AuthoredPiece[]): void {
    this.#kept.set(index, pieces)
    if (this.#sources.has(index)) return
    this.#keptPieces += pieces.length
    while (this.#keptPieces > this.#keepAtMost && this.#kept.size > 2) {
      this.#apart *= 2
      for (const [at, { length }] of this.#kept)
        if (at % this.#apart !== 0 && !this.#sources.has(at)) {
          this.#kept.delete(at)
          this.#keptPieces -= length
        }
    }
  }
}

const nameOf = ({ entry: { hash, size } }: Moment) => `${hash} ${size}`

/** The change between two texts where nobody knows more of it. */
export function replacement(before: string, after: string): ChangesJson {
  const { head, tail } = commonEnds(before, after)
  const [removed, inserted] = [before.length - head - tail, after.slice(head, after.length - tail)]
  const changes: ChangesJson = []
  if (head > 0) changes.push(head)
  if (removed > 0 || inserted !== '')
    changes.push(inserted === '' ? [removed] : [removed, ...inserted.split('\n')])
  if (tail > 0) changes.push(tail)
  return changes
}
