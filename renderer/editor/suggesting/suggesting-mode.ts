import { history, invertedEffects } from '@codemirror/commands'
import {
  Annotation,
  ChangeSet,
  EditorSelection,
  EditorState,
  Prec,
  StateEffect,
  StateField,
  Transaction,
  type ChangeDesc,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { fromElsewhere, redoOwn, undoOwn } from '../own-undo.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { documentText, moved, suggestionOf, tidied, toDocument, toEditor, without } from './stretches.ts'
import type { Stretch, Stretches, WrittenSuggestion } from './stretches.ts'
import { suggestedPieces } from './suggested-pieces.ts'
import { suggestedChange, withNew, type Way } from './typed.ts'

/**
 * Suggesting: what is typed, deleted and pasted doesn’t change the document, but becomes suggestions. The editor’s text
 * is the document’s with what one’s own suggestions put in; what they take out stays in it, struck through. So every
 * change that is made here only puts in, or takes out again, what isn’t in the document: taking that away always leaves
 * the document’s text, whatever is undone or comes from elsewhere.
 */
export interface Own {
  stretches: Stretches
  /** For the next suggestion that is begun. */
  nextKey: number
  /** Those whose place others have taken out of the document, by their keys. What is typed in one goes on with it. */
  detached: ReadonlyMap<number, Detached>
  /** What the server was sent of them, newest last: its stretches, wherever they stand by now. */
  sent: readonly SentStretches[]
}

/** What a suggestion was about, whose place is gone. Its words stand where that was, all of them put in. */
export interface Detached {
  original: string
  /** In the text, with line feeds, as it was before. */
  anchor: Anchor
  /** How many lines of that end before it. */
  lineEnds: number
  /** In which revision of the document it is gone; 0 where that isn’t known. */
  revision: number
}

interface Words {
  original: string
  suggested: string
}

interface SentStretches {
  key: number
  words: Words
  stretches: Stretches
}

/** Stretches of the document are taken out, or aren’t any more; where they stand before the transaction. */
const takeOut = StateEffect.define<Stretch[]>({ map: (stretches, changes) => moved(stretches, changes) })
const leaveIn = StateEffect.define<Stretch[]>({ map: (stretches, changes) => moved(stretches, changes) })
/** What a transaction from elsewhere has made of all of them, as they stand after it. */
const become = StateEffect.define<Own>()
/** What is suggested by a key, as it stands now, is sent in these words. */
const sending = StateEffect.define<{ key: number; words: Words }>()
/** A suggestion whose place is gone is for where it stands now. */
const attach = StateEffect.define<number>()
/** A change that is made of what was typed, and isn’t to be made so again. */
const isSuggested = Annotation.define<{ isOnePassage: boolean }>()

const isFromElsewhere = (transaction: Transaction) => transaction.annotation(fromElsewhere) === true

export const ownSuggestions = StateField.define<Own>({
  create: () => ({ stretches: [], nextKey: 1, detached: new Map(), sent: [] }),
  update(own, transaction) {
    const { changes, effects, docChanged, newDoc } = transaction
    for (const effect of effects) {
      if (effect.is(become)) return effect.value
      if (effect.is(sending)) return { ...own, sent: withSent(own, effect.value) }
      if (effect.is(attach))
        return { ...own, detached: new Map([...own.detached].filter(([key]) => key !== effect.value)) }
    }
    const marked = effects.some((effect) => effect.is(takeOut) || effect.is(leaveIn))
    // Where there are none, what comes from elsewhere makes none.
    if ((!docChanged && !marked) || isFromElsewhere(transaction)) return own
    let { stretches } = own
    for (const effect of effects) {
      if (effect.is(leaveIn)) stretches = left(stretches, effect.value)
      else if (effect.is(takeOut)) stretches = [...without(stretches, effect.value), ...effect.value]
    }
    const came: Stretch[] = []
    changes.iterChangedRanges((_fromA, _toA, from, to) => came.push({ from, to, kind: 'put in', key: 0 }))
    const isOnePassage = transaction.annotation(isSuggested)?.isOnePassage ?? false
    const isDetached = (key: number) => own.detached.has(key)
    const all = [...moved(stretches, changes), ...came]
    const made = withNew(newDoc, all, isOnePassage, own.nextKey, isDetached)
    return { ...own, ...made, sent: movedSent(own.sent, changes) }
  },
})

const movedSent = (sent: readonly SentStretches[], changes: ChangeDesc) =>
  changes.empty ? sent : sent.map((one) => ({ ...one, stretches: moved(one.stretches, changes) }))

/** So many of one suggestion are known: what the server has, and what it may have by now. */
const mostSent = 2

function withSent({ sent, stretches }: Own, { key, words }: { key: number; words: Words }): SentStretches[] {
  const others = sent.filter((one) => one.key !== key)
  const before = sent.filter((one) => one.key === key && !isSameWords(one.words, words))
  const now = { key, words, stretches: stretches.filter((stretch) => stretch.key === key) }
  return [...others, ...before.slice(1 - mostSent), now]
}

const isSameWords = (one: Words, other: Words) =>
  one.original === other.original && one.suggested === other.suggested

/** Tells that what is suggested by a key is being sent as it stands now. */
export const isSent = (key: number, words: Words): TransactionSpec => ({
  effects: sending.of({ key, words }),
  annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
})

/** Suggests what has lost its place for where it stands now. */
export const attached = (key: number): TransactionSpec => ({ effects: attach.of(key) })

/** What one’s own suggestions put in and take out; nothing where one doesn’t suggest. */
export const stretchesOf = (state: EditorState): Stretches =>
  state.field(ownSuggestions, false)?.stretches ?? []

/** Without what is taken out there; what was put in stays. */
const left = (stretches: Stretches, ranges: Stretches) => [
  ...stretches.filter(({ kind }) => kind === 'put in'),
  ...without(
    stretches.filter(({ kind }) => kind === 'taken out'),
    ranges,
  ),
]

/** Undo takes back what was taken out, and redo takes it out again. */
const undoable = invertedEffects.of((transaction) =>
  transaction.effects.flatMap((effect) => {
    if (effect.is(takeOut)) return leaveIn.of(moved(effect.value, transaction.changes))
    if (effect.is(leaveIn)) return takeOut.of(moved(effect.value, transaction.changes))
    return []
  }),
)

function wayOf(transaction: Transaction): Way {
  if (transaction.isUserEvent('delete.backward')) return 'back'
  if (transaction.isUserEvent('delete.forward')) return 'forth'
  const { main } = transaction.startState.selection
  return transaction.isUserEvent('delete') && main.empty ? 'back' : null
}

/** Makes suggestions of what is typed. Asked last, of what the others have made of it. */
const suggest = EditorState.transactionFilter.of((transaction): Transaction | TransactionSpec => {
  const { changes, docChanged, effects, newSelection, startState } = transaction
  const isStep = transaction.isUserEvent('undo') || transaction.isUserEvent('redo')
  if (!docChanged || isStep || isFromElsewhere(transaction) || transaction.annotation(isSuggested))
    return transaction
  const { stretches } = startState.field(ownSuggestions)
  const isComposed = transaction.isUserEvent('input.type.compose')
  const made = suggestedChange(startState.doc, stretches, changes, wayOf(transaction), isComposed)
  const stays = ChangeSet.of(made.stays, transaction.newDoc.length)
  const makes = ChangeSet.of(made.changes, startState.doc.length)
  const puts = made.changes.length > 0 && makes.newLength > startState.doc.length
  const side = puts || transaction.isUserEvent('delete.forward') ? 1 : -1
  const selection =
    made.cursor === null
      ? newSelection.map(stays, side)
      : EditorSelection.single(makes.mapPos(made.cursor, side))
  const userEvent = transaction.annotation(Transaction.userEvent)
  const taken = made.takenOut.map((range): Stretch => ({ ...range, kind: 'taken out', key: 0 }))
  const isReplacing = transaction.isUserEvent('input.replace.all')
  return {
    changes: makes,
    selection,
    effects: [...StateEffect.mapEffects(effects, stays), ...(taken.length > 0 ? [takeOut.of(taken)] : [])],
    annotations: [
      isSuggested.of({ isOnePassage: !isReplacing }),
      ...(userEvent === undefined ? [] : [Transaction.userEvent.of(userEvent)]),
    ],
    scrollIntoView: transaction.scrollIntoView,
  }
})

/** The document’s text in the editor’s, with what is put in there. */
function inserts({ doc }: EditorState, stretches: Stretches): ChangeSet {
  const put = stretches.filter(({ kind }) => kind === 'put in')
  const length = toDocument(stretches, doc.length)
  return ChangeSet.of(
    put.map(({ from, to }) => ({ from: toDocument(stretches, from), insert: doc.slice(from, to) })),
    length,
  )
}

/** What the server has of one’s own suggestions. */
export interface AtServer {
  /** What it has, or may have, of the suggestion of a key, as its words; it may be accepted at any moment. */
  sentWords: (key: number) => readonly Words[]
  /** Of the document’s text, which a change that arrives has come to. */
  revision: () => number
}

/**
 * What a change of the document is in the editor. A suggestion that the change has made, as its acceptance does, is
 * none any more: what it had put in goes, since it stands in the document. Where more was typed than the server had when
 * it was accepted, what is more is suggested on that. One whose place the change has taken out is detached.
 */
export function arriving(state: EditorState, changes: ChangeSet, atServer?: AtServer): TransactionSpec {
  const own = state.field(ownSuggestions, false)
  if (!own || own.stretches.length === 0) return { changes }
  const inEditor = changes.map(inserts(state, own.stretches))
  const after = inEditor.apply(state.doc)
  const now = moved(own.stretches, inEditor)
  const made = new Set<number>()
  const goingOn: KnownSuggestion[] = []
  const detaching: WrittenSuggestion[] = []
  for (const { key, start, end } of extents(own.stretches)) {
    if (own.detached.has(key)) continue
    const written = suggestionOf(state.doc, own.stretches, key)
    if (!written) continue
    const isTouched = changes.touchesRange(start, end) !== false
    if (!isTouched && !isPlaceGone(written, changes)) continue
    const at = changes.mapPos(written.start, -1)
    const stands = (words: string) => documentText(after, now, at, at + words.length) === words
    const accepted = [written.suggested, ...acceptedOf(written, atServer?.sentWords(key) ?? [])].find(stands)
    if (accepted === undefined) {
      const isThere = written.original !== '' && stands(written.original)
      if (!isThere && isPlaceGone(written, changes)) detaching.push(written)
      continue
    }
    made.add(key)
    if (accepted === written.suggested) continue
    const pieces = suggestedPieces(accepted, written.suggested)
    goingOn.push({
      key,
      pieces: pieces.map((piece) => ({ ...piece, from: at + piece.from, to: at + piece.to })),
    })
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
  const sent = movedSent(
    own.sent.filter(({ key }) => !made.has(key)),
    change,
  )
  const text = cleaning.apply(after)
  const apart = detached(state, { ...own, stretches, sent }, detaching, {
    length: text.length,
    revision: atServer?.revision() ?? 0,
  })
  const arrived = { changes: change.compose(apart.changes), effects: become.of(apart.own) }
  if (goingOn.length === 0) return arrived
  const next = state.update({ ...arrived, annotations: fromElsewhere.of(true), filter: false }).state
  const shown = shownIn(next, goingOn, [])
  return { changes: arrived.changes.compose(shown.changes), effects: become.of(shown.own) }
}

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
  const puts: { from: number; insert: string }[] = []
  const ends = new Map<number, { from: number; to: number }>()
  for (const { key, start, original, suggested, parts } of gone) {
    const left = own.stretches.filter((stretch) => stretch.key === key && stretch.kind === 'put in')
    const [first, last] = [left[0], left.at(-1)]
    const put = left.reduce((sum, { from, to }) => sum + to - from, 0)
    if (!first || !last || last.to - first.from !== put) continue
    known.set(key, {
      original,
      anchor: anchorAt(text, start, start + original.length),
      revision,
      lineEnds: text.slice(0, start).split('\n').length - 1,
    })
    ends.set(key, { from: first.from, to: last.to })
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
  for (const [key, { from, to }] of ends)
    stretches.push({ key, kind: 'put in', from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) })
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

/** A suggestion of one’s own that comes from the server, by the pieces it changes; places count in the document. */
export interface KnownSuggestion {
  key: number
  pieces: readonly { from: number; to: number; insert: string }[]
}

/**
 * What shows these suggestions in the place of those of the same keys, and takes out of the editor what those in `gone`
 * have put in.
 */
export function showing(
  state: EditorState,
  known: readonly KnownSuggestion[],
  gone: readonly number[],
): TransactionSpec {
  const { changes, own } = shownIn(state, known, gone)
  return {
    changes,
    effects: become.of(own),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}

function shownIn(
  state: EditorState,
  known: readonly KnownSuggestion[],
  gone: readonly number[],
): { changes: ChangeSet; own: Own } {
  const own = state.field(ownSuggestions)
  const going = new Set([...gone, ...known.map(({ key }) => key)])
  const cleaning = ChangeSet.of(
    own.stretches.filter(({ key, kind }) => kind === 'put in' && going.has(key)),
    state.doc.length,
  )
  const staying = moved(
    own.stretches.filter(({ key }) => !going.has(key)),
    cleaning,
  )
  const puts: { from: number; insert: string; key: number }[] = []
  const takes: Stretch[] = []
  for (const { key, pieces } of known) {
    for (const { from, to, insert } of pieces) {
      if (insert !== '') puts.push({ from: toEditor(staying, to, 1), insert, key })
      if (from >= to) continue
      const range = { from: toEditor(staying, from, 1), to: toEditor(staying, to) }
      // What another suggestion of one’s own does there stays its.
      for (const part of without([{ ...range, kind: 'taken out', key }], staying)) takes.push(part)
    }
  }
  const putting = ChangeSet.of(
    puts.map(({ from, insert }) => ({ from, insert })),
    cleaning.newLength,
  )
  const fresh: Stretch[] = moved(takes, putting)
  // In the order they are put in, several at one place stand one behind the other.
  const ordered = [...puts].sort((one, other) => one.from - other.from)
  let shift = 0
  for (const { from, insert, key } of ordered) {
    fresh.push({ from: from + shift, to: from + shift + insert.length, kind: 'put in', key })
    shift += insert.length
  }
  const changes = cleaning.compose(putting)
  const isOver = ({ key }: { key: number }) => going.has(key)
  return {
    changes,
    own: {
      stretches: tidied([...moved(staying, putting), ...fresh]),
      detached: new Map([...own.detached].filter(([key]) => !isOver({ key }))),
      sent: movedSent(
        own.sent.filter((one) => !isOver(one)),
        changes,
      ),
      nextKey: Math.max(own.nextKey, ...known.map(({ key }) => key + 1)),
    },
  }
}

/**
 * What takes a suggestion that was rejected out of the text, as far as the server had it in those words. What was typed
 * since stays, by the same key; null where it isn’t known what that was.
 */
export function rejecting(
  state: EditorState,
  key: number,
  words: Words,
): { spec: TransactionSpec; leaves: boolean } | null {
  const own = state.field(ownSuggestions)
  const sent = own.sent.find((one) => one.key === key && isSameWords(one.words, words))
  if (!sent) return null
  const rejected = own.stretches.flatMap((stretch) => {
    if (stretch.key !== key) return []
    const left = without([stretch], sent.stretches)
    return without([stretch], left)
  })
  const changes = ChangeSet.of(
    rejected.filter(({ kind }) => kind === 'put in').map(({ from, to }) => ({ from, to })),
    state.doc.length,
  )
  const stretches = moved(
    [...own.stretches.filter((one) => one.key !== key), ...without(keyed(own.stretches, key), rejected)],
    changes,
  )
  const detached = new Map([...own.detached].filter(([other]) => other !== key))
  const rest = movedSent(
    own.sent.filter((one) => one.key !== key),
    changes,
  )
  return {
    leaves: stretches.some((stretch) => stretch.key === key),
    spec: {
      changes,
      effects: become.of({ ...own, stretches, detached, sent: rest }),
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    },
  }
}

const keyed = (stretches: Stretches, key: number) => stretches.filter((stretch) => stretch.key === key)

/** All suggestions of one’s own, as they read by now, by their keys. */
export function writtenSuggestions(state: EditorState): Map<number, WrittenSuggestion> {
  const { detached, stretches } = state.field(ownSuggestions)
  const written = new Map<number, WrittenSuggestion>()
  for (const key of new Set(stretches.map((stretch) => stretch.key))) {
    const apart = detached.get(key)
    const suggestion = apart ? detachedSuggestion(state, key, apart) : suggestionOf(state.doc, stretches, key)
    if (suggestion) written.set(key, suggestion)
  }
  return written
}

/** As it is kept: about what it was about. */
function detachedSuggestion(state: EditorState, key: number, { original, anchor }: Detached) {
  const suggested = keyed(stretchesOf(state), key)
    .map(({ from, to }) => state.sliceDoc(from, to))
    .join('')
  return suggested === original ? null : { key, start: anchor.start, original, suggested, parts: [] }
}

/** Those whose place is gone. */
export const detachedOf = (state: EditorState): ReadonlyMap<number, Detached> =>
  state.field(ownSuggestions, false)?.detached ?? new Map<number, Detached>()

/** What takes away what one’s own suggestions have in the text that change nothing by now; null where there is none. */
export function emptied(state: EditorState): TransactionSpec | null {
  const own = state.field(ownSuggestions)
  const written = writtenSuggestions(state)
  const keys = new Set(own.stretches.map(({ key }) => key))
  const empty = [...keys].filter((key) => !written.has(key) && !own.detached.has(key))
  return empty.length === 0 ? null : showing(state, [], empty)
}

/** What is copied reads as it is suggested. */
const copied = EditorView.clipboardOutputFilter.of((text, state) => {
  const taken = state.field(ownSuggestions).stretches.filter(({ kind }) => kind === 'taken out')
  const { ranges } = state.selection
  if (ranges.every(({ empty }) => empty)) return text
  return ranges
    .map(({ from, to }) => without([{ from, to, kind: 'put in', key: 0 }], taken))
    .map((parts) => parts.map((part) => state.sliceDoc(part.from, part.to)).join(''))
    .join(state.lineBreak)
})

const browsersUndo = Prec.high(
  EditorView.domEventHandlers({
    beforeinput(event, view) {
      if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false
      event.preventDefault()
      return event.inputType === 'historyUndo' ? undoOwn(view) : redoOwn(view)
    },
  }),
)

/** Suggesting, but for how it looks; `onChange` is told when what is suggested has changed here. */
export function suggestingMode(onChange: () => void): Extension {
  return [
    ownSuggestions,
    history(),
    undoable,
    Prec.highest(suggest),
    copied,
    browsersUndo,
    EditorView.updateListener.of(({ startState, state, transactions, view }) => {
      if (startState.field(ownSuggestions) === state.field(ownSuggestions)) return
      if (transactions.every(isFromElsewhere)) return
      const spec = view.composing ? null : emptied(state)
      if (spec) view.dispatch(spec)
      onChange()
    }),
  ]
}
