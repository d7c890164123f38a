import type { ChangeSet, Text } from '@codemirror/state'
import { changesToJson, type ChangesJson } from './change-set.ts'

/** A text that the server had, and what the server has made of it since: what a copy that outlives this one goes on from. */
export interface Lineage {
  origin: Text
  since: ChangesJson | null
}

/** The changes since a text are told while they put in no more than so many characters; then they begin anew. */
const longestLineage = 50_000
/** What a place that is changed counts beside the characters that are put in. */
const placeCounts = 16

/** How the server’s text has come about here. Its origin stays the same for long, so that it needn’t be written anew. */
export class TextLineage {
  #origin: Text
  #since: ChangeSet | null = null
  #length = 0

  constructor(origin: Text) {
    this.#origin = origin
  }

  get told(): Lineage {
    return { origin: this.#origin, since: this.#since && changesToJson(this.#since) }
  }

  /** Changes have made this text of the one before. */
  add(changes: ChangeSet, text: Text): void {
    this.#since = this.#since ? this.#since.compose(changes) : changes
    changes.iterChanges((_fromA, _toA, fromB, toB) => (this.#length += toB - fromB + placeCounts))
    if (this.#length > longestLineage) this.begin(text)
  }

  /** Another text, which nothing has led to. */
  begin(text: Text): void {
    this.#origin = text
    this.#since = null
    this.#length = 0
  }
}
