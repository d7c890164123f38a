import { acceptSuggestions } from '../accept-suggestions.ts'
import { anchorAt } from '../anchors/anchor.ts'
import type { ChangesJson } from '../change-set.ts'
import { linesOf, type Acceptance, type Past } from '../acceptance.ts'
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
  readonly #before: string
  readonly #log: { revision: number; changes: ChangesJson }[] = []
  readonly #acceptances: Acceptance[] = []

  constructor(content: string, suggested: readonly Suggested[]) {
    this.content = content
    this.#before = content
    this.pending = structuredClone([...suggested])
    this.#order = suggested.flatMap(({ id, original_text }) => (original_text === '' ? [id] : []))
    this.#all = suggested.map(({ id }) => id)
  }

  accept(id: string): boolean {
    const order = this.#order
    const one = this.#take(id)
    const {
      applied: did,
      places,
      edit,
    } = acceptSuggestions({
      content: this.content,
      suggestions: [one],
      anchors: this.#anchors(),
      order,
      revision: this.revision + 1,
    })
    if (!did[0]) {
      this.#keep(one)
      return false
    }
    this.#write(edit)
    const { revision } = this
    const applied = places[0]!
    this.decided.set(id, { ...one, status: 'accepted', revision })
    const lines = linesOf(one)
    const home = one.takenOut?.[0]
    this.#acceptances.push({
      id,
      revision,
      undoneBy: null,
      together: 1,
      range: one.range,
      applied,
      home,
      lines,
    })
    return true
  }

  reject(id: string) {
    this.decided.set(id, { ...this.#take(id), status: 'rejected', revision: this.revision })
  }

  undo(id: string): boolean {
    const { status, ...one } = this.decided.get(id)!
    const { outcomes, edit } = reopenSuggestions({
      content: this.content,
      suggestions: [{ ...one, status }],
      past: this.past(
        status === 'rejected' && one.range ? [{ ...one, range: one.range, revision: one.revision! }] : [],
      ),
      anchors: this.#anchors(),
    })
    const [outcome] = outcomes
    if (!outcome) return false
    this.decided.delete(id)
    this.#write(edit)
    const accepted = this.#acceptances.find((other) => other.id === id && other.undoneBy === null)
    if (accepted) accepted.undoneBy = this.revision
    this.#keep({ ...one, ...outcome })
    return true
  }

  past(rejected: Past['rejected']): Past {
    return {
      before: this.#before,
      revision: 1,
      log: this.#log,
      acceptances: this.#acceptances,
      noted: [...this.pending, ...this.decided.values()],
      order: this.#order,
      rejected,
    }
  }

  /** Where it would be applied. */
  placeOf(id: string) {
    return placeSuggestion(this.content, this.find(id))
  }

  find(id: string): Suggested {
    return this.pending.find((one) => one.id === id)!
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
    this.#log.push({ revision: this.revision, changes: JSON.parse(edit.log) as ChangesJson })
    for (const { id, ...moved } of edit.moved)
      Object.assign(this.pending.find((one) => one.id === id) ?? this.decided.get(id)!, moved)
  }
}

const mayRunOn = ({ original_text, suggested_text, lineEnds }: Suggested) =>
  Boolean(lineEnds) ||
  (original_text.endsWith('\n') && suggested_text.trim() !== '' && !suggested_text.endsWith('\n'))
