import type { WordChanges } from '../../server/contract/records/changes.ts'
import { ApiError } from '../api/client-of.ts'
import { bringIntoView } from './bring-into-view.ts'
import type { Reader } from './reader.svelte.ts'
import { paintChanges, unpaintChanges, type PlacedChange } from './word-change-marks.ts'

/** What has changed since somebody read the text here, and the way from one change to the next. */
export class SinceRead {
  #found = $state.raw<WordChanges | null>(null)
  /** Whether the changes stand in the text. */
  shown = $state(false)
  /** The one that is looked at. */
  at = $state(-1)
  readonly #reader: Reader

  readonly changes = $derived.by((): PlacedChange[] => {
    const { pane, revision } = this.#reader.text
    if (this.#found?.revision !== revision) return []
    return this.#found.changes.flatMap((change) => {
      const { from, to } = change
      if (!from || !to || !pane.rangeOf({ from, to })) return []
      const hasAdded = change.start < change.end && change.removed_stands === 'before'
      return [{ ...change, from, to, hasAdded }]
    })
  })
  /** What can't be told place by place. */
  readonly unplaced = $derived.by(
    () => this.#found?.revision === this.#reader.text.revision && this.#found.limited !== null,
  )
  readonly more = $derived(this.#found?.more === true)

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Asks what has changed, as far as that isn't known. */
  async look(): Promise<void> {
    const { api, lastRead, page, text } = this.#reader
    const { revision } = text
    const since = lastRead.revision
    if (since === null || since >= revision) return
    if (this.#found?.since === since && this.#found.revision === revision) return
    try {
      const params = { id: page.documentId }
      const found = await api.call('listWordChanges', { params, query: { since } })
      text.heard(found.revision)
      if (found.revision !== text.revision || lastRead.revision !== since) return
      this.#found = found
      // What differs only in signs and spaces shows nowhere.
      if (found.limited === null && this.changes.length === 0) lastRead.note(revision)
    } catch (error) {
      // The link’s holder may not know that text, or nobody knows it any more.
      if (error instanceof ApiError && error.code === 'PRECONDITION_FAILED') lastRead.note(revision)
    }
  }

  /** The words that a change has put in, as they are read. */
  addedBy(change: PlacedChange): string {
    return change.hasAdded ? (this.#reader.text.pane.rangeOf(change)?.toString() ?? '') : ''
  }

  show(): void {
    this.shown = true
    this.step(1)
  }

  step(by: 1 | -1): void {
    const { length } = this.changes
    if (length === 0) return
    this.shown = true
    this.at = this.at < 0 ? (by > 0 ? 0 : length - 1) : (this.at + by + length) % length
    const { pane } = this.#reader.text
    const change = this.changes[this.at]!
    void bringIntoView(() => pane.rectOf(change))
  }

  putAway(): void {
    this.shown = false
    this.at = -1
    this.#found = null
    this.#reader.lastRead.note(this.#reader.text.revision)
  }

  /** Draws them in the text, as long as they are wanted there. */
  paint(): () => void {
    const { pane } = this.#reader.text
    paintChanges(pane, this.changes, this.at)
    return () => unpaintChanges(pane)
  }
}
