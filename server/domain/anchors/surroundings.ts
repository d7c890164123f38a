import type { Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import type { TextChange } from '../change-map.ts'
import type { Readable } from '../pieced-text.ts'
import { LocalAlignment } from './local-alignment.ts'
import { placeByPartners } from './place-by-partners.ts'
import { isOfOthers, placeWords } from './words-by-partners.ts'

/** A change of less than one part in so many is told well by what it put in and took away. */
const WRITTEN_ANEW = 20

/** What stands around words tells where they are in a text much of which is another: read where it is first asked for. */
export class Surroundings {
  readonly budget: Budget
  readonly #change: TextChange<Readable>
  #read: LocalAlignment | undefined

  constructor(change: TextChange<Readable>, budget: Budget) {
    this.#change = change
    this.budget = budget
  }

  /** Whether much of the text is another. */
  get isWrittenAnew(): boolean {
    const { before, after, map } = this.#change
    const { removed, inserted } = map.size
    return (removed + inserted) * WRITTEN_ANEW >= before.length + after.length
  }

  /** null where they aren't needed, or can't be told. */
  get alignment(): LocalAlignment | null {
    if (!this.isWrittenAnew) return null
    const { before, after, map } = this.#change
    this.#read ??= new LocalAlignment(before.toString(), after.toString(), map, this.budget)
    return this.#read.whole ? this.#read : null
  }

  /** Whether what stands around a place is what stood around other words. */
  isOfOthers(range: Range, place: Range): boolean {
    const { alignment } = this
    return alignment !== null && isOfOthers(range, place, alignment.pairs)
  }

  /** Where words are, given where they are found otherwise. */
  placeOfWords(range: Range, place: Range | null): Range | null {
    const { alignment } = this
    return alignment ? placeWords(range, place, alignment.pairs) : place
  }

  /** Where a place between words is by the words on both sides, each of which has one partner at most. */
  placeOf(at: number): number | null {
    const { alignment } = this
    return alignment && placeByPartners(at, alignment.pairs)
  }
}
