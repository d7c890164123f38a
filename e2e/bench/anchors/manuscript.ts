/**
 * A text each of whose characters has a number of its own that it keeps wherever it is moved. What is typed, and what
 * is copied, gets new numbers. So where words are after any edits is known without comparing texts.
 */
export class Manuscript {
  text: string
  ids: Int32Array
  /** By the number of a copied character: the number of the one it was copied from, and so on. */
  readonly copiedFrom = new Map<number, number>()
  #next: number
  #newestCopy = -1

  constructor(text: string) {
    this.text = text
    this.ids = Int32Array.from({ length: text.length }, (_, i) => i)
    this.#next = text.length
  }

  /** Characters that come from now on have at least this number. */
  get newest(): number {
    return this.#next
  }

  copiedSince = (newest: number) => this.#newestCopy >= newest

  replace(from: number, to: number, insert: string): void {
    const fresh = Int32Array.from({ length: insert.length }, () => this.#next++)
    this.#splice(from, to, insert, fresh)
  }

  /** Moves a stretch to a place outside of it. */
  move(from: number, to: number, dest: number): void {
    const text = this.text.slice(from, to)
    const ids = this.ids.slice(from, to)
    this.#splice(from, to, '', new Int32Array())
    const at = dest > from ? dest - (to - from) : dest
    this.#splice(at, at, text, ids)
  }

  copy(from: number, to: number, dest: number): void {
    const text = this.text.slice(from, to)
    const ids = this.ids.slice(from, to).map((id) => {
      this.copiedFrom.set(this.#next, id)
      this.#newestCopy = this.#next
      return this.#next++
    })
    this.#splice(dest, dest, text, ids)
  }

  #splice(from: number, to: number, text: string, ids: Int32Array): void {
    this.text = this.text.slice(0, from) + text + this.text.slice(to)
    const all = new Int32Array(this.ids.length - (to - from) + ids.length)
    all.set(this.ids.subarray(0, from))
    all.set(ids, from)
    all.set(this.ids.subarray(to), from + ids.length)
    this.ids = all
  }
}
