import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
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
import { OptimisticList } from '../../../feedback/optimistic-list.svelte.ts'
import { EditedText } from '../../edited-text.svelte.ts'
import type { Editor } from '../../editor.ts'
import { fromElsewhere } from '../../own-undo.ts'
import { arriving } from '../arriving-changes.ts'
import { detachedOf, stretchesOf, writtenSuggestions } from '../own-suggestions.ts'
import { piecesOf } from '../suggested-pieces.ts'
import { toDocument, toEditor } from '../stretches.ts'
import { Suggester } from '../suggester.svelte.ts'
import { suggestingMode } from '../suggesting-mode.ts'

interface Row {
  id: string
  kind: 'suggestion'
  original_text: string
  suggested_text: string
  anchor: Anchor
  range: Range | null
  /** Whose it is, if it isn’t the author’s. */
  isOthers?: boolean
  created_at: string
}

type Words = Pick<Row, 'suggested_text'> & Partial<Row>

/** A server’s text and the suggestions in it, whose places are followed by its own rules. */
class Server {
  text: string
  revision = 1
  rows: Row[] = []
  readonly #accepted: Row[] = []
  readonly #log: LoggedChanges[] = []
  #made = 0

  constructor(text: string) {
    this.text = text
  }

  change(changes: ChangeSet) {
    const { content, moved } = editByChanges(PiecedText.of(this.text), changes, this.rows)
    const ranges = new Map(moved.map((one) => [one.id, one.range]))
    this.rows = this.rows.map((row) => ({
      ...row,
      range: ranges.has(row.id) ? ranges.get(row.id)! : row.range,
    }))
    this.text = content.whole
    this.revision++
    const json = changesToJson(changes)
    this.#log.push(json)
    return { changes: json, revision: this.revision, length: this.text.length, hash: contentHash(this.text) }
  }

  call(name: string, id: string | undefined, words: Words): Suggestion {
    const before = this.rows.find((row) => row.id === id)
    if (id !== undefined && !before) throw new ApiError('ALREADY_RESOLVED', 409, 'no')
    const anchor = words.anchor ?? before!.anchor
    const log = anchor.revision === undefined ? undefined : this.#log.slice(anchor.revision - 1)
    const range = words.anchor ? placeNewAnchor({ content: this.text, anchor, log }) : before!.range
    const number = ++this.#made
    const kept = before ?? {
      ...{ id: `s${number}`, kind: 'suggestion' as const, original_text: '' },
      created_at: new Date(number).toISOString(),
    }
    const row = { ...kept, ...words, anchor, range }
    // In the order in which they were made, which changing one doesn’t change.
    if (name === 'withdrawSuggestion') this.rows = this.rows.filter((one) => one !== before)
    else if (before) this.rows = this.rows.map((one) => (one === before ? row : one))
    else this.rows.push(row)
    return this.record(row)
  }

  record(row: Row): Suggestion {
    return {
      ...{ id: row.id, document_id: 'd', author_id: null, author_name: 'Guest', author_kind: 'guest' },
      ...{
        key_name: null,
        note: null,
        mine: !row.isOthers,
        accepted_text: null,
        status: this.#accepted.includes(row) ? 'accepted' : 'pending',
        resolved_at: null,
      },
      ...{ original_text: row.original_text, suggested_text: row.suggested_text, anchor: row.anchor },
      ...{ range: placeSuggestion(this.text, row), created_at: row.created_at },
    }
  }

  get records(): Suggestion[] {
    return [...this.rows, ...this.#accepted].map((row) => this.record(row))
  }

  /** Another suggests something. */
  suggest(start: number, end: number, suggested_text: string): void {
    const anchor = { ...anchorAt(this.text, start, end), revision: this.revision }
    const original_text = this.text.slice(start, end)
    this.call('createSuggestion', undefined, { original_text, suggested_text, anchor, isOthers: true })
  }

  /** The owner accepts one; null where that can’t be. */
  accept(row: Row) {
    const anchors = this.rows.filter((one) => one !== row)
    const { edit } = acceptSuggestions({
      content: this.text,
      suggestions: [row],
      anchors,
      order: this.#order,
    })
    if (!edit) return null
    const moved = new Map(edit.moved.map((one) => [one.id, one]))
    this.rows = anchors.map((one) => ({ ...one, ...(moved.get(one.id) as Partial<Row> | undefined) }))
    this.#accepted.push(row)
    this.text = edit.content
    this.revision++
    const json = JSON.parse(edit.log) as LoggedChanges
    this.#log.push(json)
    return { changes: json, revision: this.revision, length: this.text.length, hash: contentHash(this.text) }
  }

  get #order(): string[] {
    return this.rows.flatMap(({ id, original_text }) => (original_text === '' ? id : []))
  }

  /** The text once all of its author’s is accepted. */
  get accepted(): string {
    return this.#acceptAll().edit?.content ?? this.text
  }

  /** The same with what others suggest; null where not all of it can be. */
  get acceptedWithOthers(): string | null {
    const { applied, edit } = this.#acceptThese(this.rows)
    return applied.includes(false) ? null : (edit?.content ?? this.text)
  }

  /** Whether two of them are for the same words, so that only one can be accepted. */
  get areAtOdds(): boolean {
    return this.#acceptAll().applied.some((isApplied, i) => !isApplied && this.record(this.rows[i]!).range)
  }

  #acceptAll() {
    return this.#acceptThese(this.rows.filter((row) => !row.isOthers))
  }

  #acceptThese(suggestions: readonly Row[]) {
    return acceptSuggestions({ content: this.text, suggestions, anchors: [], order: this.#order })
  }
}

/** Somebody who suggests in a text in which others write, and the server of both. */
export class AuthorAndServer {
  readonly server: Server
  readonly suggester: Suggester
  readonly #text: EditedText
  readonly #list = new OptimisticList<Suggestion>()
  #state: EditorState

  constructor(content: string) {
    this.server = new Server(content)
    this.#text = new EditedText({ revision: 1, content })
    const api = {
      url: () => '',
      call: async (name: string, { params, body }: { params: { suggestion_id?: string }; body?: Words }) => {
        await Promise.resolve()
        return this.server.call(name, params.suggestion_id, body ?? { suggested_text: '' })
      },
    }
    this.suggester = new Suggester({
      ...{ api: api as never, documentId: 'd', list: this.#list, signature: () => ({}) },
      load: () => this.load(),
      saved: () => Promise.resolve(),
      onRefused: () => undefined,
      onRejected: () => undefined,
    })
    this.#state = EditorState.create({ doc: content, extensions: suggestingMode(() => undefined) })
    const stateNow = () => this.#state
    const view = {
      get state() {
        return stateNow()
      },
      dispatch: (spec: TransactionSpec) => void (this.#state = this.#state.update(spec).state),
    }
    const editor = {
      view,
      places: {
        toShown: (at: number, side?: -1 | 1) => toEditor(stretchesOf(this.#state), at, side),
        toText: (at: number) => toDocument(stretchesOf(this.#state), at),
      },
      apply: (changes: ChangeSet) =>
        view.dispatch({
          ...arriving(this.#state, changes, this.suggester),
          annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
        }),
    } as unknown as Editor
    this.#text.attach(editor)
    this.suggester.begin(this.#text, editor)
  }

  /** What the server has of suggestions is heard. */
  async load(): Promise<void> {
    await this.#list.load((_query, placedIn) => {
      placedIn(this.server.revision)
      return Promise.resolve(this.server.records)
    })
    flushSync()
  }

  /** The author replaces what stands between two places of the editor. */
  type(from: number, to: number, insert: string): void {
    this.#state = this.#state.update({
      ...{ changes: { from, to, insert }, selection: { anchor: from + insert.length } },
      userEvent: insert === '' ? 'delete.backward' : 'input.type',
    }).state
    this.suggester.changed()
  }

  /** The author goes on at the cursor, if that is where words of theirs were put in. */
  typeOn(insert: string): void {
    const { head } = this.#state.selection.main
    const isOwn = stretchesOf(this.#state).some(
      ({ kind, from, to }) => kind === 'put in' && from < head && head <= to,
    )
    if (isOwn && insert !== '') this.type(head, head, insert)
  }

  /** Another changes the document. */
  others(from: number, to: number, insert: string): void {
    const update = this.server.change(ChangeSet.of({ from, to, insert }, this.server.text.length))
    this.#text.receive([update as never])
    flushSync()
  }

  /** The owner accepts one of those that are pending, whoever suggests it. */
  accept(at: number): void {
    const { rows } = this.server
    const update = rows.length > 0 ? this.server.accept(rows[at % rows.length]!) : null
    if (update) this.#text.receive([update as never])
    flushSync()
  }

  /** All that is typed is sent, and what has become of it is heard. */
  async rest(): Promise<void> {
    await this.suggester.flush()
    await this.load()
  }

  get shown(): string {
    return this.#state.doc.toString()
  }

  get detached(): number {
    return detachedOf(this.#state).size
  }

  /** The document as it reads for its author with all that has its place. */
  get seen(): string {
    const apart = detachedOf(this.#state)
    const gone = stretchesOf(this.#state).filter(({ kind, key }) => kind === 'taken out' || apart.has(key))
    return ChangeSet.of(
      gone.map(({ from, to }) => ({ from, to })),
      this.#state.doc.length,
    )
      .apply(this.#state.doc)
      .toString()
  }

  /** The document as it reads with what its author suggests, and with what others do where that is drawn. */
  get seenWithOthers(): string {
    const changes: { from: number; to?: number; insert: string }[] = []
    for (const row of this.server.rows.filter((one) => one.isOthers && one.range)) {
      const words = { from: row.range!.start, to: row.range!.end }
      for (const { from, to, insert } of piecesOf(this.server.record(row))) {
        const at = words.from + from
        const { at: place } = this.suggester.beside(row.id, at, words)!
        if (from === to) changes.push({ from: place, insert })
        else
          changes.push({
            ...{ from: toEditor(stretchesOf(this.#state), at, 1), insert },
            to: toEditor(stretchesOf(this.#state), words.from + to),
          })
      }
    }
    const taken = stretchesOf(this.#state).filter(({ kind }) => kind === 'taken out')
    const all = [...changes, ...taken.map(({ from, to }) => ({ from, to, insert: '' }))]
    return ChangeSet.of(
      all.sort((one, other) => one.from - other.from),
      this.#state.doc.length,
    )
      .apply(this.#state.doc)
      .toString()
  }

  get pending() {
    const apart = detachedOf(this.#state)
    return [...writtenSuggestions(this.#state).values()].filter(({ key }) => !apart.has(key))
  }
}
