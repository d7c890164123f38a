import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
import type { Suggestion } from '../../../../server/contract/records/suggestions.ts'
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
import type { SuggestingServer, Words } from './suggesting-server.ts'

interface Options {
  body?: Words
  idempotencyKey?: string
  params: { suggestion_id?: string }
}

interface Waiting {
  run: () => Suggestion
  answer?: () => void
  settle: (record: Suggestion) => void
  fail: (error: unknown) => void
}

/** Somebody who suggests in a text of a server in which others suggest, too. */
export class Author {
  readonly server: SuggestingServer
  readonly name: string
  readonly suggester: Suggester
  /** Whether what is asked waits until it is let be done, and answered. */
  isHeld = false
  readonly #text: EditedText
  readonly #list = new OptimisticList<Suggestion>()
  readonly #asked: Waiting[] = []
  #lists: (() => void)[] = []
  #state: EditorState

  constructor(server: SuggestingServer, name: string) {
    this.server = server
    this.name = name
    const content = server.text
    this.#text = new EditedText({ revision: server.revision, content })
    const call = (what: string, { body, idempotencyKey, params }: Options) =>
      this.#ask(() =>
        server.call(what, {
          ...{ by: name, id: params.suggestion_id, words: body ?? { suggested_text: '' } },
          key: idempotencyKey,
        }),
      )
    this.suggester = new Suggester({
      api: { url: () => '', call } as never,
      ...{ documentId: 'd', list: this.#list, signature: () => ({}) },
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

  async #ask(run: () => Suggestion): Promise<Suggestion> {
    await Promise.resolve()
    if (!this.isHeld) return run()
    return new Promise((settle, fail) => this.#asked.push({ run, settle, fail }))
  }

  /** What is asked next is done, and answered; or only done; or its answer is lost, done or not. */
  answer(how: 'answer' | 'do' | 'lose' = 'answer'): void {
    const next = this.#asked[0]
    if (!next) return
    if (how === 'lose') next.fail(new ApiError('OFFLINE', 0, 'no'))
    else next.answer ??= answerOf(next)
    if (how === 'answer') next.answer!()
    if (how !== 'do') this.#asked.shift()
  }

  /** What the server has of suggestions by now is heard. */
  async load(): Promise<void> {
    await this.#load(Promise.resolve())
  }

  /** A list is asked for, and made, that arrives later. */
  askForList(): void {
    void this.#load(new Promise((arrive) => this.#lists.push(() => arrive())))
  }

  listArrives(): void {
    this.#lists.shift()?.()
  }

  async #load(arrival: Promise<void>): Promise<void> {
    const { revision } = this.server
    const records = this.server.recordsFor(this.name)
    await this.#list.load(async (_query, placedIn) => {
      placedIn(revision)
      await arrival
      return records
    })
    flushSync()
  }

  /** So many changes of the document are heard of. */
  hear(count = Infinity): void {
    const first = this.server.updates.findIndex(({ revision }) => revision > this.#text.revision)
    if (first < 0) return
    this.#text.receive(this.server.updates.slice(first, first + count))
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

  /** The author goes on at the cursor, if that is where words of theirs were put in. Whether it is. */
  typeOn(insert: string): boolean {
    const { head } = this.#state.selection.main
    const isOwn = stretchesOf(this.#state).some(
      ({ kind, from, to }) => kind === 'put in' && from < head && head <= to,
    )
    if (isOwn && insert !== '') this.type(head, head, insert)
    return isOwn
  }

  /** The author takes back the letter before the cursor, if it is one of their own that was put in; which that was. */
  takeBack(): string | null {
    const { head } = this.#state.selection.main
    const isOwn = stretchesOf(this.#state).some(
      ({ kind, from, to }) => kind === 'put in' && from < head && head <= to,
    )
    const letter = isOwn ? this.#state.sliceDoc(head - 1, head) : ''
    if (!/\p{Lu}/u.test(letter)) return null
    this.type(head - 1, head, '')
    return letter
  }

  /** All that is typed is sent, and what has become of it is heard. */
  async rest(): Promise<void> {
    await this.suggester.flush()
    await this.load()
  }

  /** From now on what is asked is answered at once; what waits is, too. */
  async letGo(): Promise<void> {
    this.isHeld = false
    while (this.#asked.length > 0) this.answer()
    for (const arrive of this.#lists.splice(0)) arrive()
    await new Promise((resolve) => setImmediate(resolve))
    flushSync()
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
    for (const row of this.server.rows.filter((one) => one.by !== this.name && one.range)) {
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

  /** All that the editor shows as suggested, with a place or without. */
  get words(): { id: string | null; original: string; suggested: string; isApart: boolean }[] {
    const apart = detachedOf(this.#state)
    return [...writtenSuggestions(this.#state).values()].map(({ key, original, suggested }) => ({
      ...{ id: this.suggester.idOf(key), original, suggested, isApart: apart.has(key) },
    }))
  }
}

function answerOf({ run, settle, fail }: Waiting): () => void {
  try {
    const record = run()
    return () => settle(record)
  } catch (error) {
    return () => fail(error)
  }
}
