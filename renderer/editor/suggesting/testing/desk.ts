import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
import { vi } from 'vitest'
import type { Suggestion } from '../../../../server/contract/records/suggestions.ts'
import { changesToJson } from '../../../../server/domain/change-set.ts'
import { contentHash } from '../../../../server/domain/content-hash.ts'
import { ApiError } from '../../../api/client.ts'
import { OptimisticList } from '../../../feedback/optimistic-list.svelte.ts'
import { EditedText } from '../../edited-text.svelte.ts'
import type { Editor } from '../../editor.ts'
import { fromElsewhere, redoOwn, undoOwn } from '../../own-undo.ts'
import { arriving } from '../arriving-changes.ts'
import { detachedOf, stretchesOf } from '../own-suggestions.ts'
import { toDocument, toEditor } from '../stretches.ts'
import { Suggester } from '../suggester.svelte.ts'
import { suggestingMode } from '../suggesting-mode.ts'
import { placedAnew } from '../undo-keeping-here.ts'

export type Asked = {
  name: string
  body?: Record<string, unknown>
  idempotencyKey?: string
  keepalive?: boolean
}

export const record = (id: string, words: Partial<Suggestion>): Suggestion => ({
  ...{ id, document_id: 'd', author_id: null, author_name: 'Guest', author_kind: 'guest', key_name: null },
  ...{ note: null, mine: true },
  ...{
    original_text: '',
    suggested_text: '',
    accepted_text: null,
    edited_at: null,
    anchor: null,
    range: null,
    status: 'pending',
  },
  ...{ created_at: '2026-01-01T00:00:00.000Z', resolved_at: null },
  ...words,
})

export const offline = () => new ApiError('OFFLINE', 0, 'no')

/** Somebody who suggests in a text, and the server’s side of it, which may have suggestions already. */
export function desk(content: string, records: Suggestion[] = []) {
  const text = new EditedText({ revision: 1, content })
  const list = new OptimisticList<Suggestion>()
  const asked: Asked[] = []
  const rejected: string[] = []
  const refused: string[] = []
  const made: string[] = []
  list.restore(records, new Map(records.map(({ id }) => [id, 1])))
  /** Answers that don’t come. */
  let silent = false
  let away = false
  /** In which revision the server has its text, where that is a newer one than is here. */
  let ahead = 1
  const api = {
    url: () => '',
    call: (
      name: string,
      options: Omit<Asked, 'name'> & {
        params: { suggestion_id?: string }
        query?: { edited_at?: string }
      },
    ) => {
      asked.push({ ...options, name })
      if (silent) return new Promise(() => {})
      if (away) return Promise.reject(offline())
      const { anchor, original_text, suggested_text } = (options.body ?? {}) as Partial<Suggestion>
      const words = {
        ...(anchor && { range: { start: anchor.start, end: anchor.start + anchor.exact.length } }),
        ...(original_text !== undefined && { original_text }),
        ...(suggested_text !== undefined && { suggested_text }),
      }
      if (name === 'createSuggestion') {
        const known = asked.findIndex((one) => one.idempotencyKey === options.idempotencyKey)
        records = [...records.filter(({ id }) => id !== `s${known}`), record(`s${known}`, words)]
        return Promise.resolve(records.at(-1))
      }
      const id = options.params.suggestion_id
      const before = records.find((one) => one.id === id)
      if (before?.status !== 'pending')
        return Promise.reject(new ApiError('ALREADY_RESOLVED', 400, 'It is decided.'))
      const seen = options.query?.edited_at
      const queried = seen === undefined ? before.edited_at : seen === 'never' ? null : seen
      const { edited_at = queried } = options.body ?? {}
      if (edited_at !== before.edited_at)
        return Promise.reject(new ApiError('CHANGED_SINCE', 409, 'It is another by now.'))
      records = records.filter((one) => one !== before)
      const at = new Date(Date.parse(before.edited_at ?? before.created_at) + 1).toISOString()
      if (name === 'updateSuggestion') records.push({ ...before, ...words, edited_at: at })
      return Promise.resolve(records.at(-1))
    },
  }
  const load = async (revision = Math.max(ahead, text.revision)) => {
    await list.load((_query, placedIn) => {
      placedIn(revision)
      return Promise.resolve(records)
    })
    flushSync()
  }
  const suggester = new Suggester({
    ...{ api: api as never, documentId: 'd', list, load, signature: () => ({}) },
    saved: () => Promise.resolve(),
    onRefused: (words) => refused.push(words),
    onMade: (name, id) => made.push(name, id),
    onRejected: (words) => rejected.push(words),
  })
  let state = EditorState.create({ doc: content, extensions: suggestingMode(() => undefined) })
  let steps = 0
  const dispatch = (spec: TransactionSpec) => {
    steps++
    const made = state.update(spec)
    state = made.state
    const placed = placedAnew([made])
    if (placed.length > 0) suggester.changed(placed)
  }
  const editor = {
    view: {
      get state() {
        return state
      },
      dispatch,
    },
    places: {
      toShown: (at: number, side?: -1 | 1) => toEditor(stretchesOf(state), at, side),
      toText: (at: number) => toDocument(stretchesOf(state), at),
    },
    apply: (changes: ChangeSet) =>
      dispatch({
        ...arriving(state, changes, suggester),
        annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
      }),
  } as unknown as Editor
  text.attach(editor)
  suggester.begin(text, editor)
  return {
    ...{ suggester, asked, rejected, refused, made, load, text },
    type(at: number, words: string) {
      dispatch({ selection: { anchor: at } })
      dispatch({ ...state.replaceSelection(words), userEvent: 'input.type' })
      suggester.changed()
    },
    takeOut(from: number, to: number) {
      dispatch({ changes: { from, to }, userEvent: 'delete.backward' })
      suggester.changed()
    },
    others(from: number, to: number, insert = '') {
      const after = text.current.slice(0, from) + insert + text.current.slice(to)
      const changes = changesToJson(ChangeSet.of({ from, to, insert }, text.current.length))
      const update = { changes, revision: text.revision + 1, length: after.length, hash: contentHash(after) }
      text.receive([update as never])
      flushSync()
    },
    be(change: Partial<Suggestion>, revision?: number) {
      records = records.map((one) => ({ ...one, ...change }))
      return load(revision)
    },
    /** Nothing is heard of it yet. */
    accept() {
      records = records.map((one) => ({ ...one, status: 'accepted', range: null }))
      ahead = text.revision + 1
    },
    add(one: Suggestion) {
      records = [...records, one]
      return load()
    },
    fallSilent: () => (silent = true),
    beAway: (isAway: boolean) => (away = isAway),
    /** What another window of theirs has made of it; nothing is heard of it yet. */
    become: (change: Partial<Suggestion>) => (records = records.map((one) => ({ ...one, ...change }))),
    records: () => records,
    cursor: () => state.selection.main.head,
    /** How often the editor was drawn for what happened. */
    steps: () => steps,
    shown: () => state.doc.toString(),
    put: () => stretchesOf(state).map(({ from, to }) => state.sliceDoc(from, to)),
    detached: () => [...detachedOf(state).keys()],
    undo: () => undoOwn({ state, dispatch }),
    redo: () => redoOwn({ state, dispatch }),
  }
}

export const content = 'One.\n\nA quick fox.\n\nThree.'

/** What browsers keep, by names that can be gone through. */
export function keepsInBrowser() {
  const kept = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => void delete kept[key],
  }) as Record<string, string>
  vi.stubGlobal('localStorage', kept)
  return kept
}
