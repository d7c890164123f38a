import type { ReadMarks } from './read-marks.svelte.ts'
import { readPlace, showRead, type ReadingPlace } from './reading-place.ts'

/** The reading view as the page around it knows it: where it is read, and whether words are looked for in it. */
export class ReadingViewState {
  finding = $state(false)
  /** Counts how often finding was asked for, since the field may be open already. */
  asked = $state(0)
  /** What is said of the text, in the page; null while there is no view. */
  marked = $state.raw<ReadMarks | null>(null)
  #page: Document | null = null
  #place: ReadingPlace | null = null
  #opened: number | null = null

  /** Begins at a place as soon as there is a page. */
  begin(place: ReadingPlace): void {
    this.#place = place
    this.#page = null
    this.#opened = null
    this.finding = false
  }

  /** A page has come, the first one or a newer text’s: it is read on where it was. */
  open(page: Document): void {
    if (this.#place) showRead(page, this.#place)
    this.#page = page
    this.#opened ??= page.scrollingElement?.scrollTop ?? 0
  }

  /** Another page is coming. */
  leave(): void {
    this.#place = this.place ?? this.#place
    this.#page = null
  }

  show(place: ReadingPlace): void {
    if (this.#page) showRead(this.#page, place)
    else this.#place = place
  }

  find(): void {
    this.finding = true
    this.asked++
  }

  /** Where it is read now; null before there is anything to read. */
  get place(): ReadingPlace | null {
    return this.#page && readPlace(this.#page)
  }

  /** Whether it still stands where it began. */
  get isWhereItBegan(): boolean {
    if (!this.#page || this.#opened === null) return true
    return Math.abs((this.#page.scrollingElement?.scrollTop ?? 0) - this.#opened) < 8
  }
}
