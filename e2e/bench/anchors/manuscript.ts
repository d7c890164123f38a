import { ChangeSet } from '../../../server/domain/change-set.ts'

export interface Replacement {
  from: number
  to: number
  insert: string
}

/**
 * A text each of whose characters has a number of its own that it keeps wherever it is moved. What is typed, and what
 * is copied, gets new numbers. So where words are after any edits is known without comparing texts.
 */
export class Manuscript {
  text: string
  #ids: Int32Array
  /** By the number of a copied character: the number of the one it was copied from, and so on. */
  readonly copiedFrom = new Map<number, number>()
  #next: number
  #newestCopy = -1
  #changes: ChangeSet | null = null

  readonly #isRecorded: boolean

  /** @param isRecorded whether `takeChanges` will be asked for */
  constructor(text: string, isRecorded = false) {
    this.text = text
    this.#isRecorded = isRecorded
    this.#ids = Int32Array.from({ length: text.length }, (_, i) => i)
    this.#next = text.length
  }

  /** By where characters are: their numbers. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.text.length)
  }

  /** Characters that come from now on have at least this number. */
  get newest(): number {
    return this.#next
  }

  copiedSince = (newest: number) => this.#newestCopy >= newest

  /** What was done since this was asked last, as an editor would send it. */
  takeChanges(): ChangeSet {
    const changes = this.#changes ?? ChangeSet.empty(this.text.length)
    this.#changes = null
    return changes
  }

  replace(from: number, to: number, insert: string): void {
    this.#splice(from, to, insert, this.#fresh(insert))
  }

  /** Many at once, in their order: no two meet. */
  replaceEach(replacements: readonly Replacement[]): void {
    if (replacements.length === 0) return
    this.#note(replacements)
    const texts: string[] = []
    const ids: number[] = []
    let at = 0
    for (const { from, to, insert } of [...replacements, { from: this.text.length, to: 0, insert: '' }]) {
      texts.push(this.text.slice(at, from), insert)
      for (let i = at; i < from; i++) ids.push(this.ids[i]!)
      for (const id of this.#fresh(insert)) ids.push(id)
      at = to
    }
    this.text = texts.join('')
    this.#ids = Int32Array.from(ids)
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

  #fresh = (text: string) => Int32Array.from({ length: text.length }, () => this.#next++)

  #note(replacements: readonly Replacement[]): void {
    if (!this.#isRecorded) return
    const changes = ChangeSet.of([...replacements], this.text.length)
    this.#changes = this.#changes?.compose(changes) ?? changes
  }

  #splice(from: number, to: number, text: string, ids: Int32Array): void {
    this.#note([{ from, to, insert: text }])
    const { length } = this.text
    this.text = this.text.slice(0, from) + text + this.text.slice(to)
    if (this.text.length > this.#ids.length) {
      const more = new Int32Array(2 * this.text.length)
      more.set(this.#ids)
      this.#ids = more
    }
    this.#ids.copyWithin(from + text.length, to, length)
    this.#ids.set(ids, from)
  }
}
