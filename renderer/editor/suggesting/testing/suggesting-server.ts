import type { ChangeSet } from '@codemirror/state'
import type { LiveUpdate } from '../../../../server/contract/live.ts'
import type { Anchor, Range } from '../../../../server/contract/records/anchors.ts'
import type { Suggestion } from '../../../../server/contract/records/suggestions.ts'
import { acceptSuggestions } from '../../../../server/domain/accept-suggestions.ts'
import { anchorAt } from '../../../../server/domain/anchors/anchor.ts'
import { placeNewAnchor } from '../../../../server/domain/anchors/place-through-log.ts'
import { changesToJson, type LoggedChanges } from '../../../../server/domain/change-set.ts'
import { contentHash } from '../../../../server/domain/content-hash.ts'
import { editByChanges } from '../../../../server/domain/document-change.ts'
import { PiecedText } from '../../../../server/domain/pieced-text.ts'
import { placeSuggestion } from '../../../../server/domain/suggestion.ts'
import { ApiError } from '../../../api/client-of.ts'

export interface Row {
  id: string
  kind: 'suggestion'
  original_text: string
  suggested_text: string
  anchor: Anchor
  range: Range | null
  /** Whose it is. */
  by: string
  created_at: string
}

export type Words = Pick<Row, 'suggested_text'> & Partial<Row>

interface Asked {
  by: string
  id?: string | undefined
  key?: string | undefined
  words: Words
}

/** A server’s text and the suggestions of several in it, whose places are followed by its own rules. */
export class SuggestingServer {
  text: string
  revision = 1
  rows: Row[] = []
  /** What has become of the text, in order. */
  readonly updates: LiveUpdate[] = []
  readonly #decided = new Map<Row, 'accepted' | 'rejected'>()
  readonly #answers = new Map<string, Suggestion>()
  readonly #log: LoggedChanges[] = []
  #made = 0

  constructor(text: string) {
    this.text = text
  }

  /** The document is changed directly. */
  change(changes: ChangeSet): void {
    const { content, moved } = editByChanges(PiecedText.of(this.text), changes, this.rows)
    const ranges = new Map(moved.map((one) => [one.id, one.range]))
    this.rows = this.rows.map((row) => ({
      ...row,
      range: ranges.has(row.id) ? ranges.get(row.id)! : row.range,
    }))
    this.#become(content.whole, changesToJson(changes))
  }

  #become(text: string, changes: LoggedChanges) {
    this.text = text
    this.revision++
    this.#log.push(changes)
    const update = { changes, revision: this.revision, length: text.length, hash: contentHash(text) }
    this.updates.push(update as never)
  }

  /** What somebody asks; the same once more under its key is answered as it was. */
  call(name: string, { by, id, key, words }: Asked): Suggestion {
    const answered = key === undefined ? undefined : this.#answers.get(key)
    if (answered) return answered
    const before = this.rows.find((row) => row.id === id)
    if (id !== undefined && !before) throw new ApiError('ALREADY_RESOLVED', 409, 'no')
    const anchor = words.anchor ?? before!.anchor
    const log = anchor.revision === undefined ? undefined : this.#log.slice(anchor.revision - 1)
    const range = words.anchor ? placeNewAnchor({ content: this.text, anchor, log }) : before!.range
    const number = ++this.#made
    const kept = before ?? {
      ...{ id: `s${number}`, kind: 'suggestion' as const, original_text: '' },
      ...{ by, created_at: new Date(number).toISOString() },
    }
    const row = { ...kept, ...words, anchor, range }
    // In the order in which they were made, which changing one doesn’t change.
    if (name === 'withdrawSuggestion') this.rows = this.rows.filter((one) => one !== before)
    else if (before) this.rows = this.rows.map((one) => (one === before ? row : one))
    else this.rows.push(row)
    const record = this.record(row, by)
    if (key !== undefined) this.#answers.set(key, record)
    return record
  }

  record(row: Row, reader?: string): Suggestion {
    return {
      ...{ id: row.id, document_id: 'd', author_id: null, author_name: 'Guest', author_kind: 'guest' },
      ...{
        key_name: null,
        note: null,
        mine: row.by === reader,
        accepted_text: null,
        edited_at: null,
        status: this.#decided.get(row) ?? 'pending',
        resolved_at: null,
      },
      ...{ original_text: row.original_text, suggested_text: row.suggested_text, anchor: row.anchor },
      ...{ range: placeSuggestion(this.text, row), created_at: row.created_at },
    }
  }

  /** All that there are, as somebody is told of them. */
  recordsFor(reader: string): Suggestion[] {
    return [...this.rows, ...this.#decided.keys()].map((row) => this.record(row, reader))
  }

  /** Another suggests something. */
  suggest(start: number, end: number, suggested_text: string): void {
    const anchor = { ...anchorAt(this.text, start, end), revision: this.revision }
    const original_text = this.text.slice(start, end)
    this.call('createSuggestion', { by: 'another', words: { original_text, suggested_text, anchor } })
  }

  /** The owner accepts one, where that can be. */
  accept(row: Row): void {
    const anchors = this.rows.filter((one) => one !== row)
    const { edit } = acceptSuggestions({
      content: this.text,
      suggestions: [row],
      anchors,
      order: this.#order,
    })
    if (!edit) return
    const moved = new Map(edit.moved.map((one) => [one.id, one]))
    this.rows = anchors.map((one) => ({ ...one, ...(moved.get(one.id) as Partial<Row> | undefined) }))
    this.#decided.set(row, 'accepted')
    this.#become(edit.content, JSON.parse(edit.log) as LoggedChanges)
  }

  /** The owner rejects one. */
  reject(row: Row): void {
    this.rows = this.rows.filter((one) => one !== row)
    this.#decided.set(row, 'rejected')
  }

  /** What was rejected suggested. */
  get rejected(): string[] {
    const all = [...this.#decided].filter(([, status]) => status === 'rejected')
    return all.map(([row]) => row.suggested_text)
  }

  get #order(): string[] {
    return this.rows.flatMap(({ id, original_text }) => (original_text === '' ? id : []))
  }

  /** The text once all of an author’s is accepted. */
  acceptedOf(author: string): string {
    return this.#acceptAll(author).text
  }

  /** The same with what others suggest; null where not all of it can be. */
  get acceptedWithOthers(): string | null {
    const { applied, text } = this.#acceptThese(this.rows)
    return applied.includes(false) ? null : text
  }

  /** Whether one is put in between the words that another is for. */
  get isAmongWords(): boolean {
    const ranges = this.rows.flatMap(({ range }) => range ?? [])
    const isPlace = ({ start, end }: Range) => start === end
    return ranges
      .filter(isPlace)
      .some(({ start: at }) => ranges.some(({ start, end }) => start < at && at < end))
  }

  /** Whether two of an author’s are for the same words, so that only one can be accepted. */
  areAtOdds(author: string): boolean {
    const rows = this.rows.filter((row) => row.by === author)
    return this.#acceptAll(author).applied.some((isApplied, i) => !isApplied && this.record(rows[i]!).range)
  }

  #acceptAll(author: string) {
    return this.#acceptThese(this.rows.filter((row) => row.by === author))
  }

  #acceptThese(suggestions: readonly Row[]) {
    let [text, left, applied] = [this.text, suggestions, [] as boolean[]]
    while (left.length > 0) {
      const some = { content: text, suggestions: left, anchors: [], order: this.#order }
      const { edit, applied: did } = acceptSuggestions(some)
      const moved = new Map(edit?.moved.map((one) => [one.id, one as Partial<Row>]))
      text = edit?.content ?? text
      left = left.slice(did.length).map((one) => ({ ...one, ...moved.get(one.id) }))
      applied = [...applied, ...did]
    }
    return { text, applied }
  }
}
