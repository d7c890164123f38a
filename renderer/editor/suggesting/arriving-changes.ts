import { ChangeSet, type EditorState, type Text, type TransactionSpec } from '@codemirror/state'
import { fromElsewhere } from '../own-undo.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { areLarger, sidesOf, type Sides } from '../../../server/domain/grown-words.ts'
import { toldBy } from '../../../server/domain/whole-ends.ts'
import { besideOwn, putInAt, type Accepted, type Order } from './beside-own.ts'
import { cursorsKept, type Made } from './cursor-in-accepted.ts'
import {
  become,
  isAsSent,
  keyed,
  movedSent,
  ownSuggestions,
  typedWithin,
  writtenOf,
  writtenWithin,
} from './own-suggestions.ts'
import type { Own, Words } from './own-suggestions.ts'
import { shownIn, type KnownSuggestion } from './shown-suggestions.ts'
import { documentText, moved, suggestionOf, tidied, toDocument, toEditor } from './stretches.ts'
import type { Stretches, WrittenSuggestion } from './stretches.ts'
import { suggestedPieces, type Piece } from './suggested-pieces.ts'

/** What the server has of one’s own suggestions. */
export interface AtServer {
  /** What it has, or may have, of the suggestion of a key, as its words; it may be accepted at any moment. */
  sentWords: (key: number) => readonly Words[]
  /** Of the document’s text, which a change that arrives has come to. */
  revision: () => number
  /** In which order others’ suggestions and one’s own stand. */
  order?: Order
}

/**
 * What a change of the document is in the editor. A suggestion that the change has made, as its acceptance does, is
 * none any more: what it had put in goes, since it stands in the document. Where more was typed than the server had when
 * it was accepted, what is more is suggested on that. One whose place the change has taken out is detached.
 * @param isTypedHere by whoever suggests, which accepts nothing
 */
export function arriving(
  state: EditorState,
  changes: ChangeSet,
  atServer?: AtServer,
  isTypedHere = false,
): TransactionSpec {
  const own = state.field(ownSuggestions, false)
  if (!own || own.stretches.length === 0) return { changes }
  const accepted = isTypedHere ? new Map<number, readonly Accepted[]>() : acceptedIn(own, changes, atServer)
  const inEditor = inTheEditor(state, own, changes, { accepted, atServer })
  const after = inEditor.apply(state.doc)
  const now = moved(own.stretches, inEditor)
  const made = new Map<number, Made>()
  const goingOn: KnownSuggestion[] = []
  const detaching: WrittenSuggestion[] = []
  const typedIn = new Set<number>()
  const grown = new Set<number>()
  const isLarger = ({ start, original }: WrittenSuggestion, there: number) =>
    areLarger(
      original,
      sidesIn(state.doc, own.stretches, start, original.length),
      sidesIn(after, now, there, original.length),
    )
  const alone = new Set(own.alone)
  for (const { key, start, end } of extents(own.stretches)) {
    if (own.detached.has(key)) continue
    const written = writtenOf(state.doc, own, key)
    if (!written) continue
    // Its words reach to both ends of a word of which only some letters are changed.
    const to = Math.max(end, written.start + written.original.length)
    const isTouched = changes.touchesRange(Math.min(start, written.start), to) !== false
    const isWrittenIn = isWithin(written, changes)
    if (isTypedHere && isWrittenIn) typedIn.add(key)
    const isWritten = !isTypedHere && isWrittenIn
    if (!isTouched && !isWritten && !isPlaceGone(written, changes)) continue
    const at = changes.mapPos(written.start, -1) + lengthBefore(accepted.get(written.start) ?? [], key)
    const standsAt = (words: string, from: number) =>
      documentText(after, now, from, from + words.length) === words
    const stands = (words: string) => standsAt(words, at)
    const sentWords = atServer?.sentWords(key) ?? []
    const words = isTypedHere ? [] : [written.suggested, ...acceptedOf(written, sentWords)]
    const brought = words.find((one) => mayBring(changes, written, one) && stands(one))
    if (brought === undefined) {
      if (written.original === '' && !isTypedHere) alone.add(key)
      const there = placeNow(written, changes, standsAt)
      const isGone =
        isPlaceGone(written, changes) || (isWritten && saysOther(written, suggestionOf(after, now, key)))
      // What its author types in the text itself goes on with it, and of what was a part of a word more may be beside it.
      const isWhole = !isTypedHere && !sentWords.some((sent) => isPartSent(state, written, sent))
      if (there !== null && isWhole && isLarger(written, there)) grown.add(key)
      if (grown.has(key) || (there === null && isGone)) detaching.push(written)
      // The same words stand there again, and none of them is struck.
      else if (there !== null && isWithin(written, changes))
        goingOn.push({
          key,
          pieces: placedAt(suggestedPieces(written.original, written.suggested), there),
        })
      continue
    }
    // Where nothing was typed since, what reads otherwise than it was sent does so by others’ words within it.
    const isAllAccepted = sentWords.some(
      (sent) => isAsSent(state, key, sent) && acceptedOf(written, [sent]).includes(brought),
    )
    const isOver = isAllAccepted || brought === written.suggested
    made.set(key, { written, at, reads: isOver ? brought : written.suggested })
    if (isOver) continue
    goingOn.push({ key, pieces: placedAt(suggestedPieces(brought, written.suggested), at) })
  }
  const gone = now.filter(({ key, kind }) => made.has(key) && kind === 'put in')
  const cleaning = ChangeSet.of(
    gone.map(({ from, to }) => ({ from, to })),
    after.length,
  )
  const stretches = tidied(
    moved(
      now.filter(({ key }) => !made.has(key)),
      cleaning,
    ),
  )
  const change = inEditor.compose(cleaning)
  const written = isTypedHere ? typedWithin(own, typedIn) : writtenWithin(own, changes, grown)
  const sent = movedSent(
    written.filter(({ key }) => !made.has(key)),
    change,
  )
  const text = cleaning.apply(after)
  const behind = behindNow(state, own, changes)
  const revision = atServer?.revision() ?? 0
  const over = [...made.keys()].filter((key) => !goingOn.some((one) => one.key === key))
  const broughtNow = new Map([...(own.brought ?? []), ...over.map((key) => [key, revision] as const)])
  const stays = { ...own, behind, alone, brought: broughtNow, stretches, sent }
  const apart = detached(state, stays, detaching, {
    ...{ length: text.length, revision },
  })
  const arrived = { changes: change.compose(apart.changes), effects: become.of(apart.own) }
  if (goingOn.length === 0)
    return { ...arrived, ...cursorsKept(state, own.stretches, made, arrived.changes, apart.own.stretches) }
  const next = state.update({ ...arrived, annotations: fromElsewhere.of(true), filter: false }).state
  const shown = shownIn(next, goingOn, [])
  const all = arrived.changes.compose(shown.changes)
  return {
    ...{ changes: all, effects: become.of(shown.own) },
    ...cursorsKept(state, own.stretches, made, all, shown.own.stretches),
  }
}

/** Where each of one’s own that a change touches puts something in and takes nothing out, in the document. */
function insertions(state: EditorState, own: Own, changes: ChangeSet) {
  const { detached, stretches } = own
  return extents(stretches).flatMap(({ key, start, end }) =>
    start === end &&
    changes.touchesRange(start) !== false &&
    !detached.has(key) &&
    writtenOf(state.doc, own, key)?.original === ''
      ? [{ key, at: start }]
      : [],
  )
}

/** Where in the editor what is put in begins by which suggestions that a change touches put something before their words. */
function begins(state: EditorState, own: Own, changes: ChangeSet): [number, number][] {
  return extents(own.stretches).flatMap(({ key, start }): [number, number][] => {
    if (changes.touchesRange(start) === false || own.detached.has(key)) return []
    const first = keyed(own.stretches, key)[0]
    const written = writtenOf(state.doc, own, key)
    const isBefore = first?.kind === 'put in' && written && written.original !== '' && written.start === start
    return isBefore ? [[start, first.from]] : []
  })
}

/** Of which suggestions a change is that puts something in where one’s own does, by the place. */
function acceptedIn(own: Own, changes: ChangeSet, atServer?: AtServer): Map<number, readonly Accepted[]> {
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
function lengthBefore(accepted: readonly Accepted[], key: number): number {
  const index = accepted.findIndex((one) => one.key === key)
  return accepted.slice(0, Math.max(0, index)).reduce((sum, { length }) => sum + length, 0)
}

/**
 * A change of the document in the editor. What is accepted where something is put in goes where it stands among that; what
 * else is written there goes behind it, or before it where the words come behind it for which that is suggested, too.
 */
function inTheEditor(
  state: EditorState,
  own: Own,
  changes: ChangeSet,
  {
    accepted,
    atServer,
  }: { accepted: ReadonlyMap<number, readonly Accepted[]>; atServer?: AtServer | undefined },
): ChangeSet {
  const put = inserts(state, own.stretches)
  const places = new Map([
    ...insertions(state, own, changes).flatMap(({ key, at }): [number, number][] =>
      own.behind?.has(key) ? [[at, toEditor(own.stretches, at)]] : [],
    ),
    ...begins(state, own, changes),
  ])
  if (places.size === 0 && accepted.size === 0) return changes.map(put)
  const before: { from: number; insert: Text }[] = []
  const others: { from: number; to: number; insert: Text }[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    const all = from === to ? accepted.get(from) : undefined
    let read = 0
    for (const one of all ?? []) {
      const { at } = besideOwn(state.doc, own, from, one, (key) => atServer!.order!.turnOf(key))
      before.push({ from: at, insert: insert.slice(read, (read += one.length)) })
    }
    if (all) return
    const place = from === to ? places.get(from) : undefined
    if (place !== undefined) before.push({ from: place, insert })
    else others.push({ from, to, insert })
  }, true)
  if (before.length === 0) return changes.map(put)
  const mapped: { from: number; to: number; insert: Text }[] = []
  ChangeSet.of(others, changes.length)
    .map(put)
    .iterChanges((from, to, _fromB, _toB, insert) => mapped.push({ from, to, insert }), true)
  return ChangeSet.of([...before, ...mapped], state.doc.length)
}

/** Those before which the document is changed by now: as the server follows the place of an insertion. */
function behindNow(state: EditorState, own: Own, changes: ChangeSet): ReadonlySet<number> {
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

/**
 * Whether a change may have put words in the place of what a suggestion is about. It doesn’t where it only puts something
 * in beside that, or brings less than is more, or takes out less than is less: there the same words may stand for
 * another reason, and no words stand anywhere.
 */
function mayBring(changes: ChangeSet, { start, original }: WrittenSuggestion, words: string): boolean {
  const end = start + original.length
  let [isWithin, put, taken] = [false, 0, 0]
  changes.iterChangedRanges((from, to, fromB, toB) => {
    if (from > end || to < start) return
    isWithin ||= from < end && to > start
    put += toB - fromB
    taken += Math.min(to, end) - Math.max(from, start)
  }, true)
  const more = words.length - original.length
  return more > 0 ? put >= more : isWithin && taken >= -more
}

const placedAt = (pieces: readonly Piece[], at: number) =>
  pieces.map(({ from, to, insert }) => ({ from: at + from, to: at + to, insert }))

/** Where the words that a suggestion is about stand after a change; null where they don’t, or it is about none. */
function placeNow(
  { start, original }: WrittenSuggestion,
  changes: ChangeSet,
  standsAt: (words: string, from: number) => boolean,
): number | null {
  if (original === '') return null
  const places = [changes.mapPos(start, 1), changes.mapPos(start, -1)]
  return places.find((from) => standsAt(original, from)) ?? null
}

/** What the document has on both sides of so much of it. */
function sidesIn(doc: Text, stretches: Stretches, start: number, length: number): Sides {
  const [from, to] = [
    Math.max(0, start - toldBy),
    Math.min(start + length + toldBy, toDocument(stretches, doc.length)),
  ]
  return sidesOf(documentText(doc, stretches, from, to), { start: start - from, end: start - from + length })
}

/** Whether the server was sent less than the whole words that a suggestion is about. */
const isPartSent = (state: EditorState, { key, original }: WrittenSuggestion, sent: Words) =>
  isAsSent(state, key, sent) && sent.original !== original

/** Whether a change has replaced all that a suggestion is about, or all around the place where it puts something in. */
function isPlaceGone({ start, original }: WrittenSuggestion, changes: ChangeSet): boolean {
  const end = start + original.length
  const isAround =
    start === end
      ? (from: number, to: number) => from < start && to > start
      : (from: number, to: number) => from <= start && to >= end
  let isGone = false
  changes.iterChangedRanges((from, to) => (isGone ||= isAround(from, to)), true)
  return isGone
}

/** Whether a change has written between the words that a suggestion is about, or has taken out some. */
function isWithin({ start, original }: WrittenSuggestion, changes: ChangeSet): boolean {
  let isWithin = false
  changes.iterChangedRanges((from, to) => (isWithin ||= from < start + original.length && to > start), true)
  return isWithin
}

/**
 * Whether, with what others have written in its words, a suggestion puts in other words, or puts them in for others: that
 * isn’t for it to say. What it only takes out may be less by now, or have others’ words between.
 */
function saysOther(before: WrittenSuggestion, now: WrittenSuggestion | null): boolean {
  const said = ({ original, suggested }: WrittenSuggestion) =>
    suggestedPieces(original, suggested)
      .filter(({ insert }) => insert !== '')
      .map(({ from, to, insert }) => [original.slice(from, to), insert])
  return now !== null && before.suggested !== '' && !isEqual(said(before), said(now))
}
const isEqual = (one: string[][], other: string[][]) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Makes of suggestions whose place is gone what stands for itself: all their words, put in, in one piece.
 * @param own as it stands in the text by now
 */
function detached(
  before: EditorState,
  own: Own,
  gone: readonly WrittenSuggestion[],
  { length, revision }: { length: number; revision: number },
): { changes: ChangeSet; own: Own } {
  if (gone.length === 0) return { changes: ChangeSet.empty(length), own }
  const { doc } = before
  const { stretches: stood } = before.field(ownSuggestions)
  const text = documentText(doc, stood, 0, toDocument(stood, doc.length))
  const known = new Map(own.detached)
  const puts: { from: number; to?: number; insert?: string }[] = []
  const ends = new Map<number, { from: number; to: number }>()
  let shift = 0
  for (const { key, start, original, suggested, parts } of gone) {
    const left = own.stretches.filter((stretch) => stretch.key === key && stretch.kind === 'put in')
    const [first, last] = [left[0], left.at(-1)]
    const put = left.reduce((sum, { from, to }) => sum + to - from, 0)
    if (!first || !last) continue
    known.set(key, {
      original,
      anchor: anchorAt(text, start, start + original.length),
      revision,
      lineEnds: text.slice(0, start).split('\n').length - 1,
    })
    const isOnePiece = last.to - first.from === put
    // Where several stand at one place, what is put in for one isn’t the other’s: they stand one behind the other.
    const from = (isOnePiece ? first.from : last.to - put) + shift
    shift += suggested.length - put
    ends.set(key, { from, to: from + suggested.length })
    if (!isOnePiece) {
      // Words of the document stand between: all is where the last of it is, which stays as it is.
      const end = parts.at(-1)!
      const stays = last.to - last.from === end.length
      for (const one of stays ? left.slice(0, -1) : left) puts.push({ from: one.from, to: one.to })
      puts.push({ from: stays ? last.from : last.to, insert: suggested.slice(0, stays ? end.at : undefined) })
      if (stays) puts.push({ from: last.to, insert: suggested.slice(end.at + end.length) })
      continue
    }
    // The words between stood in the document, and are kept with what was put in there.
    let [at, read] = [first.from, 0]
    for (const part of parts) {
      if (read < part.at) puts.push({ from: at, insert: suggested.slice(read, part.at) })
      at += part.length
      read = part.at + part.length
    }
    if (read < suggested.length) puts.push({ from: at, insert: suggested.slice(read) })
  }
  const changes = ChangeSet.of(puts, length)
  const stretches = own.stretches
    .filter(({ key }) => !ends.has(key))
    .map((stretch) => ({
      ...stretch,
      from: changes.mapPos(stretch.from, 1),
      to: changes.mapPos(stretch.to, -1),
    }))
  for (const [key, { from, to }] of ends) stretches.push({ key, kind: 'put in', from, to })
  return {
    changes,
    own: { ...own, detached: known, stretches: tidied(stretches), sent: movedSent(own.sent, changes) },
  }
}

/** How the words of a suggestion may read in the document once what was sent of it has been accepted. */
function acceptedOf(
  { original }: WrittenSuggestion,
  sent: readonly { original: string; suggested: string }[],
): string[] {
  return sent.flatMap((words) => {
    const found: string[] = []
    for (let at = original.indexOf(words.original); at >= 0; at = original.indexOf(words.original, at + 1)) {
      const behind = original.slice(at + words.original.length)
      found.push(original.slice(0, at) + words.suggested + behind)
      if (at === original.length) break
    }
    return found
  })
}

/** From where to where suggestions reach in the document. */
function extents(stretches: Stretches): { key: number; start: number; end: number }[] {
  const extents = new Map<number, { key: number; start: number; end: number }>()
  for (const { key, from, to } of stretches) {
    const [start, end] = [toDocument(stretches, from), toDocument(stretches, to)]
    extents.set(key, { key, start: extents.get(key)?.start ?? start, end })
  }
  return [...extents.values()]
}
