import { newIdempotencyKey } from '../../api/client-of.ts'
import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import { isChanged, nothingSent, type Known } from './known-suggestion.ts'
import { broughtIn, detachedOf, standsAsSent, writtenSuggestions, type Detached } from './own-suggestions.ts'
import type { WrittenSuggestion } from './stretches.ts'
import type { Desk } from './unseen.ts'
import {
  nameOfUnsent,
  type Unsent,
  type UnsentSuggestion,
  type UnsentWithdrawal,
} from './unsent-suggestions.ts'

/** A suggestion that the server isn’t known to have, by the editor’s key for it and the page’s name. */
export interface Unmade {
  key: number
  name: string
  suggestion: UnsentSuggestion
}

/** What is to be made of one, which may not be so at the server. */
interface Due {
  key: number
  known: Known
  /** Null where it is to be taken back. */
  written: WrittenSuggestion | null
}

/** Where they stand. */
interface Here {
  /** By the keys that the editor has for them. */
  known: ReadonlyMap<number, Known>
  text: () => EditedText | null
  desk: () => Desk | null
}

/** What of one’s own suggestions the server may not have, and how it is told of that. */
export class DueSuggestions {
  readonly #here: Here
  /** Of what nobody was asked for yet: under which idempotency key that will be, by the editor’s key. */
  readonly #firstKeys = new Map<number, string>()

  constructor(here: Here) {
    this.#here = here
  }

  clear(): void {
    this.#firstKeys.clear()
  }

  /** How one’s own read by now. */
  get written(): Map<number, WrittenSuggestion> {
    const desk = this.#here.desk()
    return desk ? writtenSuggestions(desk.state) : new Map<number, WrittenSuggestion>()
  }

  /** What the server may not have. */
  get all(): Due[] {
    const state = this.#here.desk()?.state
    if (!state) return []
    const { known: allKnown } = this.#here
    const { written } = this
    const keys = new Set([...allKnown.keys(), ...written.keys()])
    const due = [...keys].flatMap((key) => {
      const known = allKnown.get(key) ?? nothingSent
      const now = written.get(key) ?? null
      const isReasoned = now !== null && known.note !== undefined
      // Its author hasn’t taken back what came with the text, which may be taken out of that again.
      const isBrought = now === null && broughtIn(state, key) !== undefined
      const isOther = !isBrought && isChanged(state, key, now, known.sent)
      const isDue = known.unsure !== null || isReasoned || isOther
      return isDue ? [{ key, known, written: now }] : []
    })
    // What goes on under another goes last, so that no words are gone where that is refused.
    return due.sort((one, other) => Number(one.written === null) - Number(other.written === null))
  }

  /** The same as it is kept in the browser, and what of it the server isn’t known to have at all. */
  get kept(): { unsent: Unsent[]; unmade: Unmade[] } {
    const unmade: Unmade[] = []
    const unsent = this.all.map(({ key, known, written }) => {
      if (!written) return withdrawalOf(known)
      const suggestion = this.message(written, known)
      if (known.id === null) unmade.push({ key, name: this.nameOf(key), suggestion })
      return suggestion
    })
    return { unsent, unmade }
  }

  /** By what it is known on this page: the server’s id, or else one of its own. */
  nameOf(key: number): string {
    const { id, unsure } = this.#here.known.get(key) ?? nothingSent
    return id ?? nameOfUnsent({ idempotencyKey: unsure?.idempotencyKey ?? this.#firstKeyOf(key) })
  }

  /** As it is sent, in the stored text’s own line ends. */
  message(written: WrittenSuggestion, known: Known): UnsentSuggestion {
    const text = this.#here.text()!
    const { stored, lines, revision } = text
    const lineEnd = stored.includes('\r\n') ? '\r\n' : '\n'
    const withEnds = (words: string) => words.replaceAll('\n', lineEnd)
    const begin = {
      id: known.id,
      // What was asked for under a key stays as it was.
      idempotencyKey: (known.id ?? known.unsure) ? newIdempotencyKey() : this.#firstKeyOf(written.key),
      at: Date.now(),
      suggested: withEnds(written.suggested),
      note: known.note,
      ...(known.unsure && { asked: known.unsure }),
      ...(known.id !== null && known.sent && { sent: known.sent }),
      ...(known.edited !== undefined && { edited: known.edited }),
      ...(known.id !== null && known.asked && { mayHave: known.asked }),
    }
    const detached = detachedOf(this.#here.desk()!.state).get(written.key)
    if (detached) {
      const anchor = anchorOf(detached, withEnds)
      return { ...begin, original: withEnds(written.original), anchor, isDetached: true }
    }
    const start = lines.toStored(written.start)
    const end = lines.toStored(written.start + written.original.length)
    // Of a text that the server hasn’t got yet nothing can be followed from there.
    const anchor = { ...anchorAt(stored, start, end), ...(text.isDirty ? {} : { revision }) }
    const { sent } = known
    const isThere =
      sent?.original === '' &&
      start === end &&
      standsAsSent(this.#here.desk()!.state, written.key, sent, written.start)
    return { ...begin, original: stored.slice(start, end), anchor, ...(isThere && { isThere }) }
  }

  /** Under which it is made first. */
  #firstKeyOf(key: number): string {
    const first = this.#firstKeys.get(key) ?? newIdempotencyKey()
    this.#firstKeys.set(key, first)
    return first
  }

  /** It is made: a further one by that key is another. */
  isMade(key: number): void {
    this.#firstKeys.delete(key)
  }
}

/** That what the server has, or may have, is to be taken back. */
const withdrawalOf = ({ id, unsure, edited, asked }: Known): UnsentWithdrawal => ({
  ...{ id, isWithdrawn: true, at: Date.now() },
  idempotencyKey: unsure?.idempotencyKey ?? newIdempotencyKey(),
  ...(unsure && { asked: unsure }),
  // What was sent last may have arrived without an answer.
  ...(edited !== undefined && !asked && { edited }),
})

/** Where one was whose place is gone, as the server has that. */
function anchorOf({ anchor, lineEnds, revision }: Detached, withEnds: (words: string) => string): Anchor {
  const [prefix, exact, suffix] = [anchor.prefix, anchor.exact, anchor.suffix].map(withEnds)
  const start = anchor.start + lineEnds * (withEnds('\n').length - 1)
  const before = revision > 1 ? { revision: revision - 1 } : {}
  return { prefix: prefix!, exact: exact!, suffix: suffix!, start, ...before }
}
