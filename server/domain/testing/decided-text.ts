import { acceptSuggestions } from '../accept-suggestions.ts'
import { anchorAt } from '../anchors/anchor.ts'
import type { LoggedChanges } from '../change-set.ts'
import type { Undone } from '../decisions.ts'
import type { AnchoredRecord, Edited } from '../document-change.ts'
import { reopenSuggestions } from '../reopen-suggestions.ts'
import type { Reopenable } from '../reopenable.ts'
import { placeSuggestion } from '../suggestion.ts'

export interface Suggested extends AnchoredRecord {
  original_text: string
  suggested_text: string
}

export function suggestAt(
  content: string,
  id: string,
  [start, end]: readonly [number, number],
  suggested_text: string,
): Suggested {
  const original_text = content.slice(start, end)
  const range = { start, end }
  return {
    id,
    kind: 'suggestion',
    original_text,
    suggested_text,
    anchor: anchorAt(content, start, end),
    range,
  }
}

/** A text whose owner decides on suggestions and takes that back, as the server keeps it. */
export class DecidedText {
  content: string
  revision = 1
  readonly pending: Suggested[]
  readonly decided = new Map<string, Suggested & Reopenable>()
  readonly #all: readonly string[]
  /** Of those that put something in. */
  readonly #order: readonly string[]
  readonly #log: { revision: number; changes: LoggedChanges }[] = []
  readonly #reopenings: number[] = []
  readonly #undone: Undone[] = []

  constructor(content: string, suggested: readonly Suggested[]) {
    this.content = content
    this.pending = structuredClone([...suggested])
    this.#order = suggested.flatMap(({ id, original_text }) => (original_text === '' ? [id] : []))
    this.#all = suggested.map(({ id }) => id)
  }

  accept(id: string): boolean {
    const order = this.#order
    const one = this.#take(id)
    const { applied, places, edit } = acceptSuggestions({
      content: this.content,
      suggestions: [one],
      anchors: this.#anchors(),
      order,
      revision: this.revision + 1,
    })
    if (!applied[0]) {
      this.#keep(one)
      return false
    }
    this.#write(edit)
    this.decided.set(id, { ...one, status: 'accepted', revision: this.revision, applied: places[0]! })
    return true
  }

  reject(id: string) {
    this.decided.set(id, { ...this.#take(id), status: 'rejected', revision: this.revision, applied: null })
  }

  undo(id: string): boolean {
    const { status, ...one } = this.decided.get(id)!
    const { outcomes, edit } = reopenSuggestions({
      content: this.content,
      suggestions: [{ ...one, status, ...this.#turnOf(one) }],
      log: this.#log,
      together: [],
      reopenings: this.#reopenings,
      undone: this.#undone,
      acceptances: [...this.decided.values()].flatMap((other) =>
        other.status === 'accepted' ? [other.revision!] : [],
      ),
      anchors: this.#anchors(),
      decided: [...this.decided.values()].filter((other) => other.id !== id && other.takenOut?.length),
      accepted: [...this.decided.values()].flatMap((other) =>
        other.status === 'accepted' && other.applied
          ? [
              {
                ...other.range!,
                turn: 0,
                ...this.#turnOf(other),
                place: other.applied,
                revision: other.revision!,
              },
            ]
          : [],
      ),
      revision: this.revision + 1,
    })
    const [outcome] = outcomes
    if (!outcome) return false
    this.decided.delete(id)
    this.#write(edit)
    if (status === 'accepted') {
      this.#reopenings.push(this.revision)
      const { before = '', behind = '' } = outcome.apart ?? {}
      this.#undone.push([one.revision!, this.revision, before.length, behind.length])
    }
    const { apart: _, ...standing } = outcome
    this.#keep({ ...one, ...standing })
    return true
  }

  /** Where it would be applied. */
  placeOf(id: string) {
    return placeSuggestion(this.content, this.find(id))
  }

  find(id: string): Suggested {
    return this.pending.find((one) => one.id === id)!
  }

  #turnOf({ id }: Pick<Suggested, 'id'>) {
    const turn = this.#order.indexOf(id)
    return turn < 0 ? {} : { turn }
  }

  #take(id: string): Suggested {
    return this.pending.splice(this.pending.indexOf(this.find(id)), 1)[0]!
  }

  #keep(one: Suggested) {
    this.pending.push(one)
    this.pending.sort((a, b) => this.#all.indexOf(a.id) - this.#all.indexOf(b.id))
  }

  #anchors(): AnchoredRecord[] {
    return this.pending.map((one) => {
      const { original_text, suggested_text, ...rest } = one
      return original_text === '' || mayRunOn(one) ? { ...rest, suggested_text } : rest
    })
  }

  #write(edit: Edited<string> | null) {
    this.revision++
    if (!edit) return
    this.content = edit.content
    this.#log.push({ revision: this.revision, changes: JSON.parse(edit.log) as LoggedChanges })
    for (const { id, ...moved } of edit.moved)
      Object.assign(this.pending.find((one) => one.id === id) ?? this.decided.get(id)!, moved)
  }
}

const mayRunOn = ({ original_text, suggested_text, lineEnds }: Suggested) =>
  Boolean(lineEnds) ||
  (original_text.endsWith('\n') && suggested_text.trim() !== '' && !suggested_text.endsWith('\n'))
