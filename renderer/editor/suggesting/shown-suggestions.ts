import { ChangeSet, Transaction, type EditorState, type TransactionSpec } from '@codemirror/state'
import { standsBefore, type Turn } from '../../../server/domain/order-at-place.ts'
import { fromElsewhere } from '../own-undo.ts'
import { besideOwn, type TurnOf } from './beside-own.ts'
import { cursorsKept, type Made } from './cursor-in-accepted.ts'
import {
  become,
  isSameWords,
  keyed,
  movedSent,
  ownSuggestions,
  writtenSuggestions,
} from './own-suggestions.ts'
import type { Own, Words } from './own-suggestions.ts'
import { moved, tidied, toEditor, without, type Stretch } from './stretches.ts'

/** A suggestion of one’s own that comes from the server, by the pieces it changes; places count in the document. */
export interface KnownSuggestion {
  key: number
  pieces: readonly { from: number; to: number; insert: string }[]
  /** The words that it is for, and when it was made, where that is known; else it comes behind others at its place. */
  words?: Turn
}

/**
 * What shows these suggestions in the place of those of the same keys, and takes out of the editor what those in `gone`
 * have put in.
 */
export function showing(
  state: EditorState,
  known: readonly KnownSuggestion[],
  gone: readonly number[],
  turnOf?: TurnOf,
): TransactionSpec {
  const { changes, own } = shownIn(state, known, gone, turnOf)
  return {
    changes,
    effects: become.of(own),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}

/** The same for one on which its author types, with the cursor behind the words that it was behind. */
export function showingJoined(
  state: EditorState,
  known: KnownSuggestion,
  made: Made,
  turnOf: TurnOf,
): TransactionSpec {
  const { changes, own } = shownIn(state, [known], [], turnOf)
  const { stretches } = state.field(ownSuggestions)
  return {
    ...{ changes, effects: become.of(own) },
    ...cursorsKept(state, stretches, new Map([[known.key, made]]), changes, own.stretches),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}

/** The same for a state that isn’t an editor’s yet. */
export function shownIn(
  state: EditorState,
  known: readonly KnownSuggestion[],
  gone: readonly number[],
  turnOf: TurnOf = () => Infinity,
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
  const stays = { ...own, stretches: staying }
  const text = cleaning.apply(state.doc)
  const puts: { from: number; insert: string; key: number; words: Turn | undefined }[] = []
  const takes: Stretch[] = []
  for (const { key, pieces, words } of known) {
    for (const { from, to, insert } of pieces) {
      // What comes in the place of words stands right behind them, before what is put in there by itself.
      const isInTurn = from === to && words !== undefined
      const at = isInTurn
        ? besideOwn(text, stays, to, words, turnOf).at
        : toEditor(staying, to, from < to ? -1 : 1)
      if (insert !== '') puts.push({ from: at, insert, key, words: isInTurn ? words : undefined })
      if (from >= to) continue
      const range = { from: toEditor(staying, from, 1), to: toEditor(staying, to) }
      // What another suggestion of one’s own does there stays its.
      for (const part of without([{ ...range, kind: 'taken out', key }], staying)) takes.push(part)
    }
  }
  // Several at one place stand one behind the other, in turn or else as they are put in.
  const isBefore = (one: (typeof puts)[number], other: (typeof puts)[number]) =>
    one.words !== undefined && other.words !== undefined && standsBefore(one.words, other.words)
  const ordered = [...puts].sort(
    (one, other) => one.from - other.from || (isBefore(one, other) ? -1 : Number(isBefore(other, one))),
  )
  const putting = ChangeSet.of(
    ordered.map(({ from, insert }) => ({ from, insert })),
    cleaning.newLength,
  )
  const fresh: Stretch[] = moved(takes, putting)
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
      ...own,
      // Letters beside the place of what is only put in aren’t its words.
      alone: new Set([
        ...[...(own.alone ?? [])].filter((key) => !going.has(key)),
        ...known.flatMap(({ key, words }) => (words && words.start === words.end ? key : [])),
      ]),
      brought: new Map([...(own.brought ?? [])].filter(([key]) => !going.has(key))),
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

/** What takes away what one’s own suggestions have in the text that change nothing by now; null where there is none. */
export function emptied(state: EditorState): TransactionSpec | null {
  const own = state.field(ownSuggestions)
  const written = writtenSuggestions(state)
  const keys = new Set(own.stretches.map(({ key }) => key))
  const empty = [...keys].filter((key) => !written.has(key) && !own.detached.has(key))
  return empty.length === 0 ? null : showing(state, [], empty)
}
