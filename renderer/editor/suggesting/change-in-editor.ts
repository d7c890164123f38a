import { ChangeSet, type EditorState, type Text } from '@codemirror/state'
import { partBefore, type Edges } from '../../../server/domain/line-edges.ts'
import { besideOwn, putInAt, type Accepted, type Order } from './beside-own.ts'
import { keyed, writtenOf, type Own, type Words } from './own-suggestions.ts'
import { documentText, toDocument, toEditor, type Stretches } from './stretches.ts'

/** What the server has of one’s own suggestions. */
export interface AtServer {
  /** What it has, or may have, of the suggestion of a key, as its words; it may be accepted at any moment. */
  sentWords: (key: number) => readonly Words[]
  /** By what id it has what the editor has by a key; null where it isn’t known to. */
  idOf?: (key: number) => string | null
  /** Of the document’s text, which a change that arrives has come to. */
  revision: () => number
  /** In which order others’ suggestions and one’s own stand. */
  order?: Order
}

/** Where each of one’s own that a change touches puts something in and takes nothing out, in the document, and what. */
function insertions(state: EditorState, own: Own, changes: ChangeSet) {
  const { detached, stretches } = own
  return extents(stretches).flatMap(({ key, start, end }) => {
    if (start !== end || changes.touchesRange(start) === false || detached.has(key)) return []
    const written = writtenOf(state.doc, own, key)
    return written?.original === '' ? [{ key, at: start, words: written.suggested }] : []
  })
}

/** Where in the editor something goes that is written at a place of the document, and how much of it; the rest goes behind. */
interface GoesBefore {
  place: number
  at: number
  length: (insert: string) => number
}

/** What goes before an insertion of all that others write at its place, as the server has it. */
function beforeInsertions(
  state: EditorState,
  own: Own,
  changes: ChangeSet,
  atServer?: AtServer,
): GoesBefore[] {
  return insertions(state, own, changes).map(({ key, at: place, words }): GoesBefore => {
    const isAll = isBehind(own, key, atServer)
    const at = isAll ? toEditor(own.stretches, place) : keyed(own.stretches, key)[0]!.from
    const edges = edgesOf(state, own.stretches, place)
    const length = (insert: string) => partBefore({ words, place: isAll ? insert.length : 0 }, insert, edges)
    return { place, at, length }
  })
}

function edgesOf({ doc }: EditorState, stretches: Stretches, at: number): Edges {
  const length = toDocument(stretches, doc.length)
  const isBreak = (start: number) => documentText(doc, stretches, start, start + 1) === '\n'
  return { isStart: at === 0 || isBreak(at - 1), isEnd: at === length || isBreak(at) }
}

/** Where in the editor what is put in begins by which suggestions that a change touches put something before their words. */
function begins(state: EditorState, own: Own, changes: ChangeSet): GoesBefore[] {
  return extents(own.stretches).flatMap(({ key, start }): GoesBefore[] => {
    if (changes.touchesRange(start) === false || own.detached.has(key)) return []
    const first = keyed(own.stretches, key)[0]
    const written = writtenOf(state.doc, own, key)
    const isBefore = first?.kind === 'put in' && written && written.original !== '' && written.start === start
    return isBefore ? [{ place: start, at: first.from, length: (insert) => insert.length }] : []
  })
}

/** Of which suggestions a change is that puts something in where one’s own does, by the place. */
export function acceptedIn(
  own: Own,
  changes: ChangeSet,
  atServer?: AtServer,
): Map<number, readonly Accepted[]> {
  const accepted = new Map<number, readonly Accepted[]>()
  changes.iterChanges((from, to, fromB, _toB, insert) => {
    if (!atServer?.order || from < to || putInAt(own, from).length === 0) return
    const all = atServer.order.acceptedAt(fromB, insert.toString())
    if (all.length > 0)
      accepted.set(
        from,
        all.map((one) => movedBack(one, fromB - from)),
      )
  }, true)
  return accepted
}
const movedBack = (one: Accepted, by: number) => ({ ...one, start: one.start - by, end: one.end - by })

/** How much comes before what one’s own suggestion puts in. */
export function lengthBefore(accepted: readonly Accepted[], key: number): number {
  const index = accepted.findIndex((one) => one.key === key)
  return accepted.slice(0, Math.max(0, index)).reduce((sum, { length }) => sum + length, 0)
}

/**
 * A change of the document in the editor. What is accepted where something is put in goes where it stands among that; what
 * else is written there goes behind it, or before it where the words come behind it for which that is suggested, too.
 */
export function inTheEditor(
  state: EditorState,
  own: Own,
  changes: ChangeSet,
  {
    accepted,
    atServer,
  }: { accepted: ReadonlyMap<number, readonly Accepted[]>; atServer?: AtServer | undefined },
): ChangeSet {
  const put = inserts(state, own.stretches)
  const places = [...begins(state, own, changes), ...beforeInsertions(state, own, changes, atServer)]
  if (places.length === 0 && accepted.size === 0) return changes.map(put)
  const before: { from: number; insert: Text }[] = []
  const others: { from: number; to: number; insert: Text }[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    const all = from === to ? accepted.get(from) : undefined
    let read = 0
    for (const one of all ?? []) {
      const { at } = besideOwn(state.doc, own, from, one, atServer!.order!.turnOf)
      before.push({ from: at, insert: insert.slice(read, (read += one.length)) })
    }
    if (all) return
    const [text, here] = [insert.toString(), from === to ? places.filter(({ place }) => place === from) : []]
    const first = here.find(({ length }) => length(text) > 0)
    const length = first?.length(text) ?? 0
    if (first) before.push({ from: first.at, insert: insert.slice(0, length) })
    if (to > from || length < insert.length) others.push({ from, to, insert: insert.slice(length) })
  }, true)
  if (before.length === 0) return changes.map(put)
  const mapped: { from: number; to: number; insert: Text }[] = []
  ChangeSet.of(others, changes.length)
    .map(put)
    .iterChanges((from, to, _fromB, _toB, insert) => mapped.push({ from, to, insert }), true)
  return ChangeSet.of([...before, ...mapped], state.doc.length)
}

/** Whether what is written at the place of an insertion goes before it: of what the server has, it knows just the place. */
const isBehind = ({ behind }: Own, key: number, atServer?: AtServer): boolean =>
  behind?.has(key) === true && (atServer?.idOf?.(key) ?? null) === null

/** Those before which the document is changed by now: as the server follows the place of an insertion. */
export function behindNow(state: EditorState, own: Own, changes: ChangeSet): ReadonlySet<number> {
  const behind = new Set(own.behind)
  for (const { key, at } of insertions(state, own, changes)) {
    changes.iterChangedRanges((from, to) => {
      if (to === at && from < at) behind.add(key)
    }, true)
    changes.iterChangedRanges((from, to) => {
      if (from === at && to > at) behind.delete(key)
    }, true)
  }
  return behind
}

/** The document’s text in the editor’s, with what is put in there. */
export function inserts({ doc }: EditorState, stretches: Stretches): ChangeSet {
  const put = stretches.filter(({ kind }) => kind === 'put in')
  const length = toDocument(stretches, doc.length)
  return ChangeSet.of(
    put.map(({ from, to }) => ({ from: toDocument(stretches, from), insert: doc.slice(from, to) })),
    length,
  )
}

/** From where to where suggestions reach in the document. */
export function extents(stretches: Stretches): { key: number; start: number; end: number }[] {
  const extents = new Map<number, { key: number; start: number; end: number }>()
  for (const { key, from, to } of stretches) {
    const [start, end] = [toDocument(stretches, from), toDocument(stretches, to)]
    extents.set(key, { key, start: extents.get(key)?.start ?? start, end })
  }
  return [...extents.values()]
}
