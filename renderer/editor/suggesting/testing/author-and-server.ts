import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
import type { Anchor, Range } from '../../../../server/contract/records/anchors.ts'
import type { Suggestion } from '../../../../server/contract/records/suggestions.ts'
import { acceptSuggestions } from '../../../../server/domain/accept-suggestions.ts'
import { placeNewAnchor } from '../../../../server/domain/anchors/place-through-log.ts'
import { changesToJson, type LoggedChanges } from '../../../../server/domain/change-set.ts'
import { contentHash } from '../../../../server/domain/content-hash.ts'
import { editByChanges } from '../../../../server/domain/document-change.ts'
import { PiecedText } from '../../../../server/domain/pieced-text.ts'
import { placeSuggestion } from '../../../../server/domain/suggestion.ts'
import { OptimisticList } from '../../../feedback/optimistic-list.svelte.ts'
import { EditedText } from '../../edited-text.svelte.ts'
import type { Editor } from '../../editor.ts'
import { fromElsewhere } from '../../own-undo.ts'
import { arriving } from '../arriving-changes.ts'
import { detachedOf, stretchesOf, writtenSuggestions } from '../own-suggestions.ts'
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
}

type Words = Pick<Row, 'suggested_text'> & Partial<Row>

/** A server’s text and the suggestions in it, whose places are followed by its own rules. */
class Server {
  text: string
  revision = 1
  rows: Row[] = []
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
    const anchor = words.anchor ?? before!.anchor
    const log = anchor.revision === undefined ? undefined : this.#log.slice(anchor.revision - 1)
    const range = words.anchor ? placeNewAnchor({ content: this.text, anchor, log }) : before!.range
    const kept = before ?? { id: `s${++this.#made}`, kind: 'suggestion' as const, original_text: '' }
    const row = { ...kept, ...words, anchor, range }
    this.rows = this.rows.filter((one) => one !== before)
    if (name !== 'withdrawSuggestion') this.rows.push(row)
    return this.record(row)
  }

  record(row: Row): Suggestion {
    return {
      ...{ id: row.id, document_id: 'd', author_id: null, author_name: 'Guest', author_kind: 'guest' },
      ...{
        key_name: null,
        note: null,
        mine: true,
        accepted_text: null,
        status: 'pending',
        resolved_at: null,
      },
      ...{ original_text: row.original_text, suggested_text: row.suggested_text, anchor: row.anchor },
      ...{ range: placeSuggestion(this.text, row), created_at: '2026-01-01T00:00:00.000Z' },
    }
  }

  get accepted(): string {
    return (
      acceptSuggestions({ content: this.text, suggestions: this.rows, anchors: [] }).edit?.content ??
      this.text
    )
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
      call: (name: string, { params, body }: { params: { suggestion_id?: string }; body?: Words }) =>
        Promise.resolve(this.server.call(name, params.suggestion_id, body ?? { suggested_text: '' })),
    }
    this.suggester = new Suggester({
      ...{ api: api as never, documentId: 'd', list: this.#list, signature: () => ({}) },
      load: () => this.#load(),
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

  async #load(): Promise<void> {
    await this.#list.load((_query, placedIn) => {
      placedIn(this.server.revision)
      return Promise.resolve(this.server.rows.map((row) => this.server.record(row)))
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

  /** All that is typed is sent, and what has become of it is heard. */
  async rest(): Promise<void> {
    await this.suggester.flush()
    await this.#load()
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

  get pending() {
    const apart = detachedOf(this.#state)
    return [...writtenSuggestions(this.#state).values()].filter(({ key }) => !apart.has(key))
  }
}
