import {
  Annotation,
  StateEffect,
  StateField,
  Transaction,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Text,
  type TransactionSpec,
} from '@codemirror/state'
import { fromElsewhere } from '../own-undo.ts'
import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { isTyped, numberedSteps, numberOf, takenBackBy } from '../own-steps.ts'
import { moved, suggestionOf, toDocument, without } from './stretches.ts'
import type { Stretch, Stretches, WrittenSuggestion } from './stretches.ts'
import { backOf, takingBackAfter, type Strike, type TakingBack } from './struck.ts'
import { withNew } from './typed.ts'

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
  /** Insertions, by their keys, before which the document was changed: what is written at their place goes before them. */
  behind?: ReadonlySet<number>
  /** Those, by their keys, that only put in or only took out as others wrote beside them: a word there isn’t theirs. */
  alone?: ReadonlySet<number>
  /** Those whose words have come with the text, as accepting brings them, by their keys: in which revision. */
  brought?: ReadonlyMap<number, number>
  /** This is the text as it reads with them, in which nothing is suggested. */
  isReading?: boolean
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

export interface Words {
  original: string
  suggested: string
}

interface SentStretches {
  key: number
  words: Words
  stretches: Stretches
  /** Who has written within it in the document since, or taken out words there or of what it puts in: its author, if they have. */
  writtenBy?: 'author' | 'others'
}

/** Stretches of the document are taken out; where they stand before the transaction. */
export const takeOut = StateEffect.define<Stretch[]>({
  map: (stretches, changes) => moved(stretches, changes),
})
/** What a transaction from elsewhere has made of all of them, as they stand after it. */
export const become = StateEffect.define<Own>()
/** What is suggested by a key, as it stands now, is sent in these words. */
const sending = StateEffect.define<{ key: number; words: Words }>()
/** A suggestion whose place is gone is for where it stands now. */
const attach = StateEffect.define<number>()
/** A change that is made of what was typed, and isn’t to be made so again. */
export const isSuggested = Annotation.define<{ isOnePassage: boolean }>()

export const isFromElsewhere = (transaction: Transaction) => transaction.annotation(fromElsewhere) === true

export const ownSuggestions = StateField.define<Own>({
  create: () => ({ stretches: [], nextKey: 1, detached: new Map(), sent: [] }),
  update(own, transaction) {
    const { changes, effects, docChanged, newDoc } = transaction
    if (own.isReading) return own
    for (const effect of effects) {
      if (effect.is(become)) return effect.value
      if (effect.is(sending)) {
        // From here on the server follows it from this place.
        const behind = new Set([...(own.behind ?? [])].filter((key) => key !== effect.value.key))
        own = { ...own, behind, sent: withSent(own, effect.value) }
      }
      if (effect.is(attach))
        return { ...own, detached: new Map([...own.detached].filter(([key]) => key !== effect.value)) }
    }
    const strikes = strikesOf(transaction)
    // Where there are none, what comes from elsewhere makes none.
    if ((!docChanged && strikes.length === 0) || isFromElsewhere(transaction)) return own
    let { stretches } = own
    for (const { way, stretches: ranges } of strikes)
      stretches = way === 'leave in' ? left(stretches, ranges) : [...without(stretches, ranges), ...ranges]
    const came: Stretch[] = []
    changes.iterChangedRanges((_fromA, _toA, from, to) => came.push({ from, to, kind: 'put in', key: 0 }))
    const isOnePassage = transaction.annotation(isSuggested)?.isOnePassage ?? false
    const isDetached = (key: number) => own.detached.has(key)
    const all = [...moved(stretches, changes), ...came]
    const made = withNew(newDoc, all, isOnePassage, own.nextKey, isDetached)
    return { ...own, ...made, sent: typedIn(own.sent, changes) }
  },
})

/**
 * Whether what is done in a text is suggested. Then only what somebody means is changed, and nothing beside it is brought
 * into order: that would be suggested with it, and stand in the way of what others suggest for the same words.
 */
export const isSuggesting = (state: EditorState) => state.field(ownSuggestions, false) !== undefined

export const movedSent = (sent: readonly SentStretches[], changes: ChangeDesc) =>
  changes.empty ? sent : sent.map((one) => ({ ...one, stretches: moved(one.stretches, changes) }))

/** The same where their author types: what of them is taken out then leaves no trace of its own. */
const typedIn = (sent: readonly SentStretches[], changes: ChangeDesc): readonly SentStretches[] =>
  movedSent(sent, changes).map((one, i) =>
    lengthOf(one.stretches) < lengthOf(sent[i]!.stretches) ? { ...one, writtenBy: 'author' } : one,
  )
const lengthOf = (stretches: Stretches) => stretches.reduce((sum, { from, to }) => sum + to - from, 0)

/**
 * What a change of the document by others makes of them. What is written at its edges isn’t within it, also where that
 * shows behind words that it puts in: the server has it outside, so its author says where those words stand.
 * @param grown those whose words are a part of larger ones by it
 */
export const writtenWithin = (
  { sent, stretches }: Own,
  changes: ChangeDesc,
  grown: ReadonlySet<number>,
): readonly SentStretches[] =>
  sent.map((one) => {
    if (grown.has(one.key)) return { ...one, writtenBy: 'others' }
    const [first, last] = [one.stretches[0], one.stretches.at(-1)]
    if (!first || !last || one.writtenBy === 'author') return one
    const [start, end] = [toDocument(stretches, first.from), toDocument(stretches, last.to)]
    let isWithin = false
    changes.iterChangedRanges((from, to) => (isWithin ||= from < end && to > start), true)
    return isWithin ? { ...one, writtenBy: 'others' } : one
  })

/** The same where their author types in the text itself, within the words of those keys, which is theirs to send. */
export const typedWithin = ({ sent }: Own, keys: ReadonlySet<number>): readonly SentStretches[] =>
  sent.map((one) => (keys.has(one.key) ? { ...one, writtenBy: 'author' } : one))

/** So many of one suggestion are known: what the server has, and what it may have by now. */
const mostSent = 2

function withSent({ sent, stretches }: Own, { key, words }: { key: number; words: Words }): SentStretches[] {
  const others = sent.filter((one) => one.key !== key)
  const before = sent.filter((one) => one.key === key && !isSameWords(one.words, words))
  const now = { key, words, stretches: stretches.filter((stretch) => stretch.key === key) }
  return [...others, ...before.slice(1 - mostSent), now]
}

export const isSameWords = (one: Words, other: Words) =>
  one.original === other.original && one.suggested === other.suggested

/** What takes back what was struck through here. */
const takingBack = StateField.define<TakingBack>({
  create: () => new Map(),
  update(known, transaction) {
    const taken = transaction.startState
      .field(ownSuggestions)
      .stretches.filter(({ kind }) => kind === 'taken out')
    return takingBackAfter(known, transaction.changes, {
      number: numberOf(transaction),
      back: isTyped(transaction) ? backOf(strikesOf(transaction), taken) : [],
      gone: takenBackBy(transaction),
    })
  },
})

/** What a transaction strikes through or leaves in, where it stands before. */
function strikesOf({ effects, startState }: Transaction): readonly Strike[] {
  const known = startState.field(takingBack, false)
  return effects.flatMap((effect): readonly Strike[] => {
    if (effect.is(takeOut)) return [{ way: 'take out', stretches: effect.value }]
    return takenBackBy({ effects: [effect] }).flatMap((number) => known?.get(number) ?? [])
  })
}

/** Has undo leave in what was struck through, and redo strike it through again. */
export const undoableStrikes: Extension = [
  takingBack,
  numberedSteps((transaction) => transaction.docChanged || strikesOf(transaction).length > 0),
]

/** Tells that what is suggested by a key is being sent as it stands now. */
export const isSent = (key: number, words: Words): TransactionSpec => areSent([{ key, words }])
export const areSent = (them: readonly { key: number; words: Words }[]): TransactionSpec => ({
  effects: them.map((one) => sending.of(one)),
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

/** How one of one’s own reads in a text. */
export const writtenOf = (doc: Text, { alone, stretches }: Own, key: number) =>
  suggestionOf(doc, stretches, key, alone?.has(key))

/** All suggestions of one’s own, as they read by now, by their keys. */
export function writtenSuggestions(state: EditorState): Map<number, WrittenSuggestion> {
  const own = state.field(ownSuggestions)
  const { detached, stretches } = own
  const written = new Map<number, WrittenSuggestion>()
  for (const key of new Set(stretches.map((stretch) => stretch.key))) {
    const apart = detached.get(key)
    const suggestion = apart ? detachedSuggestion(state, key, apart) : writtenOf(state.doc, own, key)
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

export const keyed = (stretches: Stretches, key: number) => stretches.filter((stretch) => stretch.key === key)

/** Those whose place is gone. */
/** In which revision the words of one came with the text; undefined where they haven’t. */
export const broughtIn = (state: EditorState, key: number): number | undefined =>
  state.field(ownSuggestions, false)?.brought?.get(key)

export const detachedOf = (state: EditorState): ReadonlyMap<number, Detached> =>
  state.field(ownSuggestions, false)?.detached ?? new Map<number, Detached>()

/** Whether nothing was typed in a suggestion since it was sent in these words; words beside it may have become others. */
export const isAsSent = (state: EditorState, key: number, words: Words): boolean =>
  sentAsItIs(state, key, words) !== undefined

/** Whether it puts something in at a place where what was sent in these words stands. */
export const standsAsSent = (state: EditorState, key: number, words: Words, place: number): boolean => {
  const { sent, stretches } = state.field(ownSuggestions)
  return sent.some(
    (one) =>
      one.key === key &&
      isSameWords(one.words, words) &&
      one.stretches.some(({ from }) => toDocument(stretches, from) === place),
  )
}

/** Whether it reads otherwise than it was sent in these words because of what others have done within it. */
export const isByOthers = (state: EditorState, key: number, words: Words): boolean =>
  sentAsItIs(state, key, words)?.writtenBy === 'others'

function sentAsItIs(state: EditorState, key: number, words: Words): SentStretches | undefined {
  const { sent, stretches } = state.field(ownSuggestions)
  const last = sent.findLast((one) => one.key === key && isSameWords(one.words, words))
  const now = keyed(stretches, key)
  const isSame =
    last?.writtenBy !== 'author' &&
    last?.stretches.length === now.length &&
    now.every(({ from, to, kind }, i) => {
      const then = last.stretches[i]!
      return from === then.from && to === then.to && kind === then.kind
    })
  return isSame ? last : undefined
}
