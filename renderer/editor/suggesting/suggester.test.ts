import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { flushSync } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { changesToJson } from '../../../server/domain/change-set.ts'
import { contentHash } from '../../../server/domain/content-hash.ts'
import { ApiError } from '../../api/client.ts'
import { OptimisticList } from '../../feedback/optimistic-list.svelte.ts'
import { EditedText } from '../edited-text.svelte.ts'
import type { Editor } from '../editor.ts'
import { fromElsewhere, redoOwn, undoOwn } from '../own-undo.ts'
import { toDocument, toEditor } from './stretches.ts'
import type { Unmade } from './due-suggestions.ts'
import { Suggester } from './suggester.svelte.ts'
import { arriving } from './arriving-changes.ts'
import { detachedOf, stretchesOf } from './own-suggestions.ts'
import { suggestingMode } from './suggesting-mode.ts'
import { placedAnew } from './undo-keeping-here.ts'

type Asked = { name: string; body?: Record<string, unknown>; idempotencyKey?: string; keepalive?: boolean }

const record = (id: string, words: Partial<Suggestion>): Suggestion => ({
  ...{ id, document_id: 'd', author_id: null, author_name: 'Guest', author_kind: 'guest', key_name: null },
  ...{ note: null, mine: true },
  ...{
    original_text: '',
    suggested_text: '',
    accepted_text: null,
    anchor: null,
    range: null,
    status: 'pending',
  },
  ...{ created_at: '2026-01-01T00:00:00.000Z', resolved_at: null },
  ...words,
})

const offline = () => new ApiError('OFFLINE', 0, 'no')

/** Somebody who suggests in a text, and the server’s side of it, which may have suggestions already. */
function desk(content: string, records: Suggestion[] = []) {
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
    call: (name: string, options: Omit<Asked, 'name'> & { params: { suggestion_id?: string } }) => {
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
      records = records.filter((one) => one !== before)
      if (name === 'updateSuggestion') records.push({ ...before, ...words })
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
  const dispatch = (spec: TransactionSpec) => {
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
    shown: () => state.doc.toString(),
    put: () => stretchesOf(state).map(({ from, to }) => state.sliceDoc(from, to)),
    detached: () => [...detachedOf(state).keys()],
    undo: () => undoOwn({ state, dispatch }),
    redo: () => redoOwn({ state, dispatch }),
  }
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const content = 'One.\n\nA quick fox.\n\nThree.'

test('what lost its place is changed in its words only, and is back in its place with that', async () => {
  vi.useFakeTimers()
  const { suggester, asked, type, others, be, load, put, shown, detached } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  others(6, 20)
  await be({ range: null })
  expect([put(), detached().length]).toEqual([[' brown'], 1])
  type(12, ' red')
  await suggester.flush()
  expect(asked.at(-1)).toMatchObject({ name: 'updateSuggestion', body: { suggested_text: ' brown red' } })
  expect(asked.at(-1)!.body).not.toHaveProperty('anchor')
  await load()
  expect([put(), detached().length]).toEqual([[' brown red'], 1])
  others(6, 6, 'A quick fox.\n\n')
  await be({ range: { start: 13, end: 13 } })
  expect(detached()).toEqual([])
  expect(shown()).toBe('One.\n\nA quick brown red fox.\n\nThree.')
  await suggester.end()
})

test('what is accepted stays where it is until the text comes that has it', async () => {
  vi.useFakeTimers()
  const { suggester, type, others, be, load, put, shown } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  await be({ status: 'accepted', range: null }, 2)
  expect(put()).toEqual([' brown'])
  others(13, 13, ' brown')
  await load()
  expect([put(), shown()]).toEqual([[], 'One.\n\nA quick brown fox.\n\nThree.'])
  await suggester.end()

  // Where more is typed in between, that stays.
  const typed = desk(content)
  typed.type(13, ' brown')
  await typed.suggester.flush()
  typed.type(19, ' red')
  await typed.be({ status: 'accepted', range: null }, 2)
  typed.others(13, 13, ' brown')
  expect([typed.put(), typed.shown()]).toEqual([[' red'], 'One.\n\nA quick brown red fox.\n\nThree.'])
  await typed.suggester.end()

  // Where it is sent before anything is heard of the decision.
  const sent = desk(content)
  sent.type(13, ' brown')
  await sent.suggester.flush()
  sent.type(19, ' red')
  sent.accept()
  await sent.suggester.flush()
  await sent.suggester.flush()
  expect(sent.asked.map(({ name }) => name)).toEqual(['createSuggestion', 'updateSuggestion'])
  expect([sent.put(), sent.suggester.isUnsent]).toEqual([[' brown red'], true])
  sent.others(13, 13, ' brown')
  expect([sent.put(), sent.shown()]).toEqual([[' red'], 'One.\n\nA quick brown red fox.\n\nThree.'])
  await sent.suggester.flush()
  expect(sent.asked.at(-1)).toMatchObject({
    name: 'createSuggestion',
    body: { suggested_text: ' red', anchor: { start: 19, revision: 2 } },
  })
  await sent.suggester.end()
})

test('what others write into, or take out beside it, is kept apart as soon as the server has no place for it', async () => {
  vi.useFakeTimers()
  const { suggester, asked, takeOut, type, others, be, put, shown, detached } = desk(content)
  takeOut(6, 18)
  type(18, 'One slow cat.')
  await suggester.flush()
  const sent = asked.length
  others(8, 8, 'very ')
  await be({ range: null })
  expect([put(), detached().length]).toEqual([['One slow cat.'], 1])
  expect(shown()).toBe('One.\n\nA very quick fox.One slow cat.\n\nThree.')
  await suggester.flush()
  expect(asked.length).toBe(sent)
  others(8, 13)
  await be({ range: { start: 6, end: 18 } })
  expect([put(), detached()]).toEqual([['A quick fox', 'One slow cat'], []])
  await suggester.end()

  // Where nobody has asked in between.
  const back = desk(content)
  back.type(13, ' brown')
  await back.suggester.flush()
  await back.load()
  back.others(6, 20)
  expect(back.detached().length).toBe(1)
  back.others(6, 6, 'A quick fox.\n\n')
  await back.load()
  expect([back.shown(), back.detached()]).toEqual(['One.\n\nA quick brown fox.\n\nThree.', []])
  await back.suggester.end()

  const beside = desk(content)
  beside.type(18, '\n\nTwo.')
  await beside.suggester.flush()
  beside.others(6, 18)
  await beside.be({ range: null })
  expect([beside.put(), beside.detached().length]).toEqual([['\n\nTwo.'], 1])
  await beside.suggester.end()

  const taken = desk(content)
  taken.takeOut(6, 18)
  await taken.suggester.flush()
  taken.others(8, 8, 'very ')
  await taken.be({ range: null })
  expect([taken.put(), taken.shown()]).toEqual([[], 'One.\n\nA very quick fox.\n\nThree.'])
  await taken.suggester.end()
})

test('what was not sent yet when its place went is sent for where it was, and elsewhere on its author’s word', async () => {
  vi.useFakeTimers()
  const { suggester, asked, type, others, be, shown, detached, undo, redo } = desk(content)
  type(13, ' brown,')
  others(6, 20)
  await suggester.flush()
  expect(asked.at(-1)!.body).toMatchObject({ original_text: '', anchor: { start: 13, revision: 1 } })
  await be({ range: null })
  suggester.keepHere(detached()[0]!)
  await be({ range: null })
  expect(detached()).toEqual([])
  await suggester.flush()
  expect(asked.at(-1)).toMatchObject({
    name: 'updateSuggestion',
    body: { anchor: { start: 6, revision: 2 } },
  })
  // Undo has it stand for where it was, once what was typed since is undone.
  type(0, 'Nil.')
  const typed = shown()
  undo()
  expect([shown().startsWith('One.'), detached().length]).toEqual([true, 0])
  undo()
  expect(detached()).toHaveLength(1)
  redo()
  expect(detached()).toEqual([])
  redo()
  expect(shown()).toBe(typed)
  undo()
  undo()
  await be({ range: { start: 6, end: 6 } })
  expect(detached()).toHaveLength(1)
  await suggester.flush()
  expect(asked.at(-1)).toMatchObject({
    name: 'updateSuggestion',
    body: { original_text: '', anchor: { start: 13, revision: 1 } },
  })
  await be({ range: null })
  expect(detached()).toHaveLength(1)
  await suggester.end()
})

test('lines whose place a decision takes out stand at the cut as the server has them there', async () => {
  const { suggester, asked, type, others, be, put, detached } = desk('# Head\n\nOne.\n')
  type(6, '\n\nNew.')
  await suggester.flush()
  others(0, 8)
  await be({ range: { start: 0, end: 0 }, suggested_text: 'New.\n\n' })
  expect([put(), detached()]).toEqual([['New.\n\n'], []])
  await suggester.flush()
  expect(asked.map(({ name }) => name)).toEqual(['createSuggestion'])
})

test('what only others have written in or taken out isn’t sent in its author’s name, whatever else is', async () => {
  vi.useFakeTimers()
  const { suggester, asked, takeOut, type, others, load, put } = desk(content)
  takeOut(8, 18)
  await suggester.flush()
  others(13, 13, ' and very')
  expect([put(), suggester.words]).toEqual([['quick', ' fox.'], ''])
  type(29, ' Four.')
  await suggester.flush()
  expect(asked.map(({ name, body }) => [name, body?.suggested_text])).toEqual([
    ['createSuggestion', ''],
    ['createSuggestion', ' Four.'],
  ])
  expect(suggester.state.kind).toBe('saved')
  await load()
  expect(put()).toEqual(['quick', ' fox.', ' Four.'])
  // What its author makes of it is.
  takeOut(22, 27)
  await suggester.flush()
  expect(asked.at(-1)).toMatchObject({ name: 'updateSuggestion' })
  await suggester.end()
})

test('of what is rejected while its author goes on only what was typed since is suggested', async () => {
  vi.useFakeTimers()
  const { suggester, asked, rejected, type, be, put } = desk(content)
  type(13, ' brown')
  await suggester.flush()
  type(19, ' red')
  await be({ status: 'rejected' })
  expect(put()).toEqual([' red'])
  expect(rejected).toEqual([' brown'])
  await suggester.flush()
  expect(asked.at(-1)).toMatchObject({ name: 'createSuggestion', body: { suggested_text: ' red' } })
  await suggester.end()

  // The same where other words were accepted.
  const other = desk(content)
  other.type(13, ' brown')
  await other.suggester.flush()
  other.type(19, ' red')
  other.others(13, 13, ' tan')
  await other.be({ status: 'accepted', accepted_text: ' tan', range: null })
  expect([other.put(), other.shown()]).toEqual([[' red'], 'One.\n\nA quick red tan fox.\n\nThree.'])
  await other.suggester.flush()
  expect(other.asked.at(-1)!.body).toMatchObject({ suggested_text: ' red', anchor: { start: 13 } })
  await other.suggester.end()
})

test('a page that goes sends what it has, under the key under which it is made once', async () => {
  vi.useFakeTimers()
  const { suggester, asked, type, fallSilent } = desk(content)
  fallSilent()
  type(13, ' brown')
  suggester.leave()
  expect(asked).toMatchObject([{ name: 'createSuggestion', keepalive: true }])
  suggester.leave()
  expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  const long = desk(content)
  long.type(13, 'word '.repeat(10_000))
  long.suggester.leave()
  expect(long.asked).toEqual([])
})

test('that nobody can be reached is said at once where it is known, and until what waited is sent', async () => {
  vi.useFakeTimers()
  const { suggester, type, asked, fallSilent, beAway } = desk(content)
  const lost = { kind: 'failed', cause: 'unreachable' }
  suggester.lose(offline())
  expect(suggester.state.kind).toBe('saved')
  beAway(true)
  type(13, ' brown')
  expect(suggester.state).toMatchObject(lost)
  const said: string[] = []
  for (let i = 0; i < 80; i++) {
    await vi.advanceTimersByTimeAsync(100)
    said.push(suggester.state.kind)
  }
  expect(new Set(said)).toEqual(new Set(['failed']))
  expect(asked.length).toBeGreaterThan(1)
  beAway(false)
  suggester.isThere()
  expect(suggester.state).toMatchObject(lost)
  await suggester.flush()
  expect(suggester.state.kind).toBe('saved')
  fallSilent()
  type(19, ' red')
  expect(suggester.state.kind).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1_500)
  expect(suggester.state.kind).toBe('saving')
  suggester.lose(offline())
  expect(suggester.state).toMatchObject(lost)
})

/** What browsers keep, by names that can be gone through. */
function keepsInBrowser() {
  const kept = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => void delete kept[key],
  }) as Record<string, string>
  vi.stubGlobal('localStorage', kept)
  return kept
}

test('what a closed window was not answered goes on in the text, under its key and in the words it had', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const first = desk(content)
  first.beAway(true)
  first.type(13, ' brown')
  await first.suggester.flush().catch(() => undefined)
  first.type(19, ' red')
  const [{ idempotencyKey, body }] = first.asked as [Asked]
  await first.suggester.end()
  expect(Object.keys(kept)).toHaveLength(1)

  const second = desk(content)
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([' brown red']))
  await vi.waitFor(() => expect(second.suggester.state).toMatchObject({ kind: 'failed' }))
  expect(second.suggester.catchesUp).toBe(true)
  second.beAway(false)
  second.asked.length = 0
  second.suggester.isThere()
  await second.suggester.flush()
  expect(second.asked).toMatchObject([
    { name: 'createSuggestion', idempotencyKey, body },
    { name: 'updateSuggestion', body: { suggested_text: ' brown red' } },
  ])
  expect(second.asked[0]!.body).toEqual(body)
  expect([second.put(), second.suggester.catchesUp]).toEqual([[' brown red'], false])
  expect(kept).toEqual({})
  await second.suggester.end()
})

test('what a closed window made more of isn’t asked for again once it was rejected meanwhile', async () => {
  vi.useFakeTimers()
  keepsInBrowser()
  const first = desk(content)
  first.type(13, ' brown')
  await first.suggester.flush()
  const made = record('s0', { suggested_text: ' brown', range: { start: 13, end: 13 } })
  first.beAway(true)
  first.type(19, ' red')
  await first.suggester.end()

  const second = desk(content)
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([' brown red']))
  second.asked.length = 0
  await second.add({ ...made, status: 'rejected' })
  expect([second.put(), second.refused]).toEqual([[], [' brown red']])
  second.beAway(false)
  await second.suggester.flush()
  expect(second.asked.map(({ name }) => name)).not.toContain('createSuggestion')
  await second.suggester.end()
})

test('of what a closed window made more of only that is asked for once the other was accepted', async () => {
  vi.useFakeTimers()
  const leave = async () => {
    keepsInBrowser()
    const first = desk(content)
    first.type(13, ' brown')
    await first.suggester.flush()
    first.beAway(true)
    first.type(19, ' red')
    await first.suggester.end()
  }
  const accepted = record('s0', { suggested_text: ' brown', status: 'accepted' })
  const more = { original_text: ' brown', suggested_text: ' brown red', anchor: { start: 13 } }
  await leave()
  const after = desk('One.\n\nA quick brown fox.\n\nThree.', [accepted])
  await vi.waitFor(() => expect(after.asked).toHaveLength(3))
  expect(after.asked[1]).toMatchObject({ name: 'createSuggestion', body: more })
  expect(after.put()).toEqual([' red'])
  await after.suggester.end()

  // Where the text that has it comes after the window.
  await leave()
  const before = desk(content)
  before.beAway(true)
  await vi.waitFor(() => expect(before.put()).toEqual([' brown red']))
  before.others(13, 13, ' brown')
  await before.add(accepted)
  expect([before.put(), before.shown()]).toEqual([[' red'], 'One.\n\nA quick brown red fox.\n\nThree.'])
  await before.suggester.end()

  // What its owner has said otherwise isn’t asked again by itself.
  await leave()
  const other = desk('One.\n\nA quick tan fox.\n\nThree.', [{ ...accepted, accepted_text: ' tan' }])
  await vi.waitFor(() => expect(other.refused).toEqual([' brown red']))
  expect(other.asked.map(({ name }) => name)).not.toContain('createSuggestion')
  await other.suggester.end()
})

test('what was taken back while nobody could be reached stays so in the next window, until the server has heard it', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const made = record('s0', { suggested_text: ' brown', range: { start: 13, end: 13 } })
  const first = desk(content, [made])
  expect(first.put()).toEqual([' brown'])
  first.beAway(true)
  first.takeOut(13, 19)
  await first.suggester.end()

  const second = desk(content, [made])
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([]))
  await second.load()
  expect([second.put(), second.suggester.isGone('s0')]).toEqual([[], true])
  await second.suggester.end()

  const third = desk(content, [made])
  await third.suggester.flush()
  await vi.waitFor(() => expect(kept).toEqual({}))
  expect(third.asked.map(({ name }) => name)).toEqual(['withdrawSuggestion'])
  expect(third.put()).toEqual([])
  await third.suggester.end()
})

test('what may have been made is made once, and withdrawn, by who comes back after it was taken back', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const first = desk(content)
  first.beAway(true)
  first.type(13, ' brown')
  await first.suggester.flush().catch(() => undefined)
  const [{ idempotencyKey }] = first.asked as [Asked]
  first.takeOut(13, 19)
  await first.suggester.end()

  const second = desk(content)
  await vi.waitFor(() => expect(kept).toEqual({}))
  expect(second.asked).toMatchObject([
    { name: 'createSuggestion', idempotencyKey },
    { name: 'withdrawSuggestion' },
  ])
  expect([second.put(), second.refused]).toEqual([[], []])
  await second.suggester.end()
})

test('why one suggests what waits goes with it, or after it where it may have been made', async () => {
  vi.useFakeTimers()
  const kept = keepsInBrowser()
  const { suggester, asked, made, type, beAway } = desk(content)
  beAway(true)
  type(13, ' brown')
  expect(suggester.waiting).toEqual([])
  suggester.lose(offline())
  const [{ key, name }] = suggester.waiting as [Unmade]
  expect(suggester.giveReason(key, 'It says which.')).toBe(true)
  await suggester.flush().catch(() => undefined)
  expect(asked[0]!.body).toMatchObject({ suggested_text: ' brown', note: 'It says which.' })
  // It may have been made so.
  suggester.giveReason(key, 'So it is.')
  expect(suggester.waiting).toMatchObject([{ name, suggestion: { note: 'So it is.' } }])
  await suggester.end()

  const second = desk(content)
  second.beAway(true)
  await vi.waitFor(() => expect(second.put()).toEqual([' brown']))
  await vi.waitFor(() => expect(second.suggester.waiting).toMatchObject([{ name }]))
  second.beAway(false)
  second.asked.length = 0
  await second.suggester.flush()
  expect(second.asked).toMatchObject([
    { name: 'createSuggestion', body: { note: 'It says which.' } },
    { name: 'updateSuggestion', body: { note: 'So it is.' } },
  ])
  expect([made, second.made, kept]).toEqual([[], [name, 's0'], {}])
  expect(second.suggester.giveReason(key, 'Again.')).toBe(false)
  await second.suggester.end()
})
