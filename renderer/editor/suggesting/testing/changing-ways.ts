import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
import type { Suggestion } from '../../../../server/contract/records/suggestions.ts'
import { changesToJson } from '../../../../server/domain/change-set.ts'
import { ChangeMap } from '../../../../server/domain/change-map.ts'
import { contentHash } from '../../../../server/domain/content-hash.ts'
import { FollowedPlace } from '../../../../server/domain/followed-place.ts'
import { rebase } from '../../../../server/domain/rebase.ts'
import { ApiError } from '../../../api/client.ts'
import { OptimisticList } from '../../../feedback/optimistic-list.svelte.ts'
import { EditedText } from '../../edited-text.svelte.ts'
import type { Editor } from '../../editor.ts'
import { fromElsewhere } from '../../own-undo.ts'
import { arriving } from '../arriving-changes.ts'
import { stretchesOf } from '../own-suggestions.ts'
import { toDocument, toEditor, without } from '../stretches.ts'
import { Suggester } from '../suggester.svelte.ts'
import { suggestingMode } from '../suggesting-mode.ts'

export interface Act {
  kind:
    'type' | 'choose' | 'go' | 'take out' | 'retype' | 'answer' | 'do' | 'lose' | 'others' | 'load' | 'send'
  at: number
}

interface Kept {
  id: string
  original: string
  suggested: string
  place: FollowedPlace
  status: 'pending'
}

/** A server that has a text and suggestions in it, and follows their places as Galley’s does. */
class Server {
  text: string
  revision = 1
  suggestions: Kept[] = []
  readonly log: { changes: ChangeSet; isOwn: boolean }[] = []
  readonly #made = new Map<string, string>()

  constructor(text: string) {
    this.text = text
  }

  change(changes: ChangeSet, isOwn: boolean): void {
    this.text = changes.apply(EditorState.create({ doc: this.text }).doc).toString()
    this.revision++
    this.log.push({ changes, isOwn })
    for (const { place } of this.suggestions) place.follow(ChangeMap.of(changes))
  }

  push(base: number, changes: ChangeSet, goesOn: boolean): void {
    let now = changes
    for (const one of this.log.slice(base - 1)) {
      if (!one.isOwn) now = rebase([{ changes: now, goesOn }], one.changes).ours[0]!
    }
    this.change(now, true)
  }

  make(key: string, words: Partial<Suggestion>): Suggestion {
    const id = this.#made.get(key) ?? `s${this.#made.size}`
    if (this.#made.has(key)) return this.record(this.suggestions.find((one) => one.id === id)!)
    this.#made.set(key, id)
    const one = this.#placed(id, words)
    this.suggestions.push(one)
    return this.record(one)
  }

  become(id: string, words: Partial<Suggestion>): Suggestion {
    const before = this.suggestions.find((one) => one.id === id)!
    // Where no other place is said, it is where it was; it keeps its turn among others.
    const one = words.anchor ? this.#placed(id, words) : { ...before, suggested: words.suggested_text! }
    this.suggestions = this.suggestions.map((other) => (other === before ? one : other))
    return this.record(one)
  }

  #placed(id: string, { original_text, suggested_text, anchor }: Partial<Suggestion>): Kept {
    if (anchor!.revision === undefined) throw new Error('about a text that the server doesn’t have')
    const start = anchor!.start
    const words = original_text!
    const place = new FollowedPlace({ start, end: start + words.length })
    for (const { changes } of this.log.slice(anchor!.revision - 1)) place.follow(ChangeMap.of(changes))
    const there = place.place && this.text.slice(place.place.start, place.place.end)
    if (there !== null && there !== words) throw new Error('about other words')
    return { id, original: words, suggested: suggested_text!, place, status: 'pending' }
  }

  record({ id, original, suggested, place, status }: Kept): Suggestion {
    return {
      ...{ id, document_id: 'd', author_id: null, author_name: 'Guest', author_kind: 'guest' },
      ...{
        key_name: null,
        note: null,
        edited_at: null,
        mine: true,
        anchor: null,
        accepted_text: null,
        resolved_at: null,
      },
      ...{ original_text: original, suggested_text: suggested, range: place.place, status },
      created_at: '2026-01-01T00:00:00.000Z',
    }
  }

  acceptAll(): string {
    const changes = this.suggestions.map(({ place, suggested }) => {
      const { start, end } = place.place!
      return { from: start, to: end, insert: suggested }
    })
    return ChangeSet.of(changes, this.text.length)
      .apply(EditorState.create({ doc: this.text }).doc)
      .toString()
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÀÉÈÊÁÓÒÔÍÌÎÚÙÛÇÑÅÆØ'

/** Somebody who goes from one way to another in a text, and a server whose answers come when they are let. */
export class ChangingWays {
  readonly server: Server
  /** What was typed in the text itself, and what was suggested, a letter each. */
  readonly written = new Set<string>()
  readonly suggested = new Set<string>()
  readonly #text: EditedText
  readonly #list = new OptimisticList<Suggestion>()
  readonly #suggester: Suggester
  readonly #asked: {
    run: () => unknown
    done: boolean
    settle: (value: unknown) => void
    fail: () => void
    answer?: unknown
  }[] = []
  /** The changes of the text that the server has, by their numbers. */
  readonly #arrived = new Set<number>()
  #saving: Promise<void> | null = null
  #state!: EditorState
  #isSuggesting = false
  #typed = 0

  constructor(content: string) {
    this.server = new Server(content)
    this.#text = new EditedText({ revision: 1, content })
    type Options = { body?: Partial<Suggestion>; idempotencyKey?: string; params: { suggestion_id?: string } }
    const api = {
      url: () => '',
      call: (name: string, { body, idempotencyKey, params }: Options) =>
        this.#ask(() => {
          if (name === 'createSuggestion') return this.server.make(idempotencyKey!, body!)
          const id = params.suggestion_id!
          if (name === 'updateSuggestion') return this.server.become(id, body!)
          this.server.suggestions = this.server.suggestions.filter((one) => one.id !== id)
          return undefined
        }),
    }
    this.#suggester = new Suggester({
      ...{ api: api as never, documentId: 'd', list: this.#list, signature: () => ({}) },
      load: () => this.#load(),
      saved: () => this.#save(),
      onRefused: () => undefined,
      onRejected: () => undefined,
    })
    this.#attach(false)
  }

  #ask(run: () => unknown): Promise<unknown> {
    return new Promise((settle, reject) => {
      const fail = () => reject(new ApiError('OFFLINE', 0, 'no'))
      this.#asked.push({ run, done: false, settle, fail })
    })
  }

  #save(): Promise<void> {
    return (this.#saving ??= this.#push().finally(() => (this.#saving = null)))
  }

  async #push(): Promise<void> {
    const change = this.#text.outgoing()
    if (!change) return
    await this.#ask(() => {
      if (this.#arrived.has(change.number)) return
      this.#arrived.add(change.number)
      this.server.push(change.base, change.changes, change.goesOn)
    }).catch(() => undefined)
    this.#hear()
    if (!this.#text.isDirty) return
    await this.#push()
  }

  /** Takes in what has become of the text. */
  #hear(): void {
    const { log, text } = this.server
    let doc = EditorState.create({ doc: 'alpha beta gamma.' }).doc
    for (const [i, { changes, isOwn }] of log.entries()) {
      doc = changes.apply(doc)
      const content = doc.toString()
      if (i + 2 <= this.#text.revision) continue
      const number = isOwn ? { number: log.slice(0, i + 1).filter((one) => one.isOwn).length } : {}
      const update = {
        ...{ revision: i + 2, changes: isOwn ? null : changesToJson(changes), length: content.length },
        ...{ hash: contentHash(content), ...number },
      }
      this.#text.receive([update as never])
    }
    if (this.#text.base.content !== text) throw new Error('another text')
    flushSync()
  }

  async #load(): Promise<void> {
    const { revision } = this.server
    await this.#list.load((_query, placedIn) => {
      placedIn(revision)
      return Promise.resolve(this.server.suggestions.map((one) => this.server.record(one)))
    })
    flushSync()
  }

  #attach(isSuggesting: boolean): void {
    const at = this.#state ? this.#placeInText() : 0
    if (this.#isSuggesting) this.#suggester.goOnUnseen()
    this.#isSuggesting = isSuggesting
    this.#state = EditorState.create({
      doc: this.#text.current,
      extensions: isSuggesting ? suggestingMode(() => undefined) : [],
    })
    const stateNow = () => this.#state
    const editor = {
      view: {
        get state() {
          return stateNow()
        },
        dispatch: (spec: TransactionSpec) => void (this.#state = this.#state.update(spec).state),
      },
      apply: (changes: ChangeSet) =>
        editor.view.dispatch({
          ...arriving(this.#state, changes, this.#suggester),
          annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
        }),
    }
    this.#text.attach(editor as unknown as Editor)
    if (isSuggesting) this.#suggester.begin(this.#text, editor as unknown as Editor)
    this.#state = this.#state.update({
      selection: { anchor: toEditor(stretchesOf(this.#state), at, 1) },
    }).state
  }

  #placeInText(): number {
    const { head } = this.#state.selection.main
    return toDocument(stretchesOf(this.#state), head)
  }

  /** The text as it reads with all that is suggested. */
  get seen(): string {
    const { current } = this.#text
    if (!this.#isSuggesting) {
      const { placed } = this.#suggester
      const pieces = placed.flatMap(({ start, pieces }) =>
        pieces.map(({ from, to, insert }) => ({ from: start + from, to: start + to, insert })),
      )
      return ChangeSet.of(pieces, current.length)
        .apply(EditorState.create({ doc: current }).doc)
        .toString()
    }
    const state = this.#state
    const taken = stretchesOf(state).filter(({ kind }) => kind === 'taken out')
    return without([{ from: 0, to: state.doc.length, kind: 'put in', key: 0 }], taken)
      .map(({ from, to }) => state.sliceDoc(from, to))
      .join('')
  }

  async act({ kind, at }: Act): Promise<void> {
    const { length } = this.#state.doc
    if (kind === 'choose') this.#attach(!this.#isSuggesting)
    else if (kind === 'go')
      this.#state = this.#state.update({ selection: { anchor: Math.floor(at * length) } }).state
    else if (kind === 'type') this.#type(0)
    else if (kind === 'retype') this.#type(2)
    else if (kind === 'take out') this.#takeOut()
    else if (kind === 'send') void this.#suggester.flush().catch(() => undefined)
    else if (kind === 'others') {
      this.server.change(ChangeSet.of({ from: 0, insert: '.' }, this.server.text.length), false)
      this.#hear()
    } else if (kind === 'load') await this.#load()
    else this.#answer(kind)
    for (let i = 0; i < 20; i++) await Promise.resolve()
    flushSync()
  }

  #type(over: number): void {
    const letter = letters[this.#typed]
    if (letter === undefined) return
    const { head } = this.#state.selection.main
    const from = Math.max(0, head - over)
    const isOwnWords =
      this.written.size > 0 && [...this.#state.sliceDoc(from, head)].some((one) => /\P{Ll}/u.test(one))
    if (over > 0 && (this.#isSuggesting || isOwnWords || this.#isSuggestedAbout(from, head))) return
    this.#typed++
    ;(this.#isSuggesting ? this.suggested : this.written).add(letter)
    this.#change({ from, to: head, insert: letter }, 'input.type')
  }

  #isSuggestedAbout(from: number, to: number): boolean {
    return this.#suggester.placed.some(({ start, end }) => start < to && end > from)
  }

  #takeOut(): void {
    const { head } = this.#state.selection.main
    const gone = this.#state.sliceDoc(head - 1, head)
    if (head === 0 || !this.#isSuggesting || this.written.has(gone) || gone === '.') return
    this.suggested.delete(gone)
    this.#change({ from: head - 1, to: head, insert: '' }, 'delete.backward')
  }

  #change(change: { from: number; to: number; insert: string }, userEvent: string): void {
    const anchor = change.from + change.insert.length
    const made = this.#state.update({ changes: change, selection: { anchor }, userEvent })
    this.#state = made.state
    if (this.#isSuggesting) return this.#suggester.changed()
    this.#text.typed(made.changes)
    void this.#save()
    flushSync()
  }

  #answer(kind: 'answer' | 'do' | 'lose'): void {
    const next = this.#asked[0]
    if (!next) return
    if (!next.done && kind !== 'lose') next.answer = next.run()
    next.done = true
    if (kind === 'do') return
    this.#asked.shift()
    if (kind === 'lose') next.fail()
    else next.settle(next.answer)
  }

  /** Lets all that is asked be answered. */
  async settle(): Promise<void> {
    let isOver = false
    void this.#save()
      .then(() => this.#suggester.flush().catch(() => undefined))
      .then(() => this.#suggester.end())
      .finally(() => (isOver = true))
    for (let i = 0; i < 2_000 && !isOver; i++) {
      this.#answer('answer')
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    this.#text.attach(null as never)
  }
}
