import { ChangeSet, Text } from '@codemirror/state'
import type { Update } from '../contract/records/changes.ts'
import { contentHash } from './change-set.ts'
import { rebase } from './rebase.ts'

/** What an editor sends: one change, made on the text at `base`, to be followed by no other until it is answered. */
export interface OutgoingChange {
  base: number
  /** Of the text at `base`, where it is known. */
  hash: number | null
  /** Counts the changes of this copy. */
  number: number
  changes: ChangeSet
}

/** What of a copy has to outlive its window. */
export interface UnsentChanges {
  base: number
  hash: number | null
  /** Of the change that is on its way, or of the one that was last. */
  number: number
  /** On its way, and after it what isn’t yet; each on the text that the one before leaves. */
  sending: ChangeSet | null
  unsent: ChangeSet | null
}

/** This copy isn’t the server’s text with changes of its own any more: nothing more can be built on it. */
export class Diverged extends Error {}

/** Lines are split at '\n' alone, so that places are offsets in the stored string, whatever its line endings. */
export const textOf = (content: string): Text => Text.of(content.split('\n'))

/**
 * One editor’s copy of a text that others change too: the server’s text at some revision, the change that is on its way
 * there, and what was typed since. Others’ changes are brought in one at a time, by the function with which the server
 * brings in this one’s, so that all copies come to the same text. It knows of no editor and no network.
 */
export class SharedText {
  #revision: number
  #hash: number | null
  #confirmed: Text
  #current: Text
  #number: number
  #sending: ChangeSet | null = null
  #unsent: ChangeSet | null = null

  constructor(at: { revision: number; hash?: number | null; content: string }, number = 0) {
    this.#revision = at.revision
    this.#hash = at.hash ?? null
    this.#confirmed = this.#current = textOf(at.content)
    this.#number = number
  }

  /** The revision of the server’s text that this one is built on. */
  get revision(): number {
    return this.#revision
  }
  /** The server’s text at that revision. */
  get confirmed(): Text {
    return this.#confirmed
  }
  /** With everything that was changed here. */
  get current(): Text {
    return this.#current
  }
  /** Whether the server may not have all of it. */
  get isDirty(): boolean {
    return this.#sending !== null || this.#unsent !== null
  }
  get isSending(): boolean {
    return this.#sending !== null
  }

  /** Something was changed here. */
  change(changes: ChangeSet): void {
    if (changes.empty) return
    this.#current = changes.apply(this.#current)
    this.#unsent = this.#unsent ? this.#unsent.compose(changes) : changes
  }

  /** What to send now, or once more if it may not have arrived; null if there is nothing. */
  outgoing(): OutgoingChange | null {
    if (this.#sending === null) {
      if (this.#unsent === null) return null
      this.#sending = this.#unsent
      this.#unsent = null
      this.#number++
    }
    return { base: this.#revision, hash: this.#hash, number: this.#number, changes: this.#sending }
  }

  /**
   * Takes in what the server says has changed; what is known already is passed over. Answers what that does to the
   * text here, one after the other.
   * @throws Diverged
   */
  receive(updates: readonly Update[]): ChangeSet[] {
    return updates.flatMap((update) => {
      if (update.revision <= this.#revision) return []
      const change = update.changes === null ? this.#acknowledge(update.number) : this.#takeIn(update.changes)
      if (this.#confirmed.length !== update.length)
        throw new Diverged(`revision ${update.revision} is another text here`)
      this.#revision = update.revision
      this.#hash = update.hash
      return change && !change.empty ? [change] : []
    })
  }

  #acknowledge(number: number | null): null {
    if (this.#sending === null || number !== this.#number)
      throw new Diverged(`change ${number} was never sent from here`)
    this.#confirmed = this.#sending.apply(this.#confirmed)
    this.#sending = null
    return null
  }

  #takeIn(json: NonNullable<Update['changes']>): ChangeSet {
    const changes = ChangeSet.fromJSON(json)
    if (changes.length !== this.#confirmed.length) throw new Diverged('a change of another text')
    this.#confirmed = changes.apply(this.#confirmed)
    const { ours, over } = rebase(
      [this.#sending, this.#unsent].filter((one) => one !== null),
      changes,
    )
    if (this.#sending) this.#sending = ours.shift()!
    if (this.#unsent) this.#unsent = ours.shift()!
    this.#current = over.apply(this.#current)
    return over
  }

  /**
   * Goes on from another text of the server’s, with what is here now put in its place as a change of it: where what was
   * changed here can’t be brought over what happened since. Answers nothing; the text here stays what `mine` says.
   */
  startAnew(at: { revision: number; hash?: number | null; content: string }, mine: ChangeSet): void {
    this.#revision = at.revision
    this.#hash = at.hash ?? null
    this.#confirmed = textOf(at.content)
    this.#sending = null
    this.#unsent = mine.empty ? null : mine
    this.#current = mine.apply(this.#confirmed)
  }

  /** What to keep where it outlives this window; null if the server has everything. */
  get waiting(): UnsentChanges | null {
    if (!this.isDirty) return null
    return {
      base: this.#revision,
      hash: this.#hash,
      number: this.#number,
      sending: this.#sending,
      unsent: this.#unsent,
    }
  }

  /** Whether the server’s text is the same here; reads all of it. */
  isIntact(): boolean {
    return this.#hash === null || contentHash(this.#confirmed.toString()) === this.#hash
  }
}
