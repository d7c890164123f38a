import { ChangeSet, type EditorState, type TransactionSpec } from '@codemirror/state'
import { fromElsewhere } from '../own-undo.ts'
import { areLarger, isOneWord } from '../../../server/domain/grown-words.ts'
import type { Accepted } from './beside-own.ts'
import {
  acceptedIn,
  behindNow,
  extents,
  inTheEditor,
  lengthBefore,
  type AtServer,
} from './change-in-editor.ts'
import { cursorsKept, type Made } from './cursor-in-accepted.ts'
import { detached } from './detaching.ts'
import {
  become,
  isAsSent,
  movedSent,
  ownSuggestions,
  typedWithin,
  writtenOf,
  writtenWithin,
} from './own-suggestions.ts'
import { shownIn, type KnownSuggestion } from './shown-suggestions.ts'
import {
  documentText,
  moved,
  suggestionOf,
  tidied,
  type Stretches,
  type WrittenSuggestion,
} from './stretches.ts'
import { suggestedPieces, type Piece } from './suggested-pieces.ts'
import {
  acceptedOf,
  isPartSent,
  isPlaceGone,
  isWithin,
  mayBring,
  placeNow,
  putBehind,
  saysOther,
  sidesIn,
} from './touched-suggestion.ts'

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
    const isKnown = accepted.get(written.start)?.some((one) => one.key === key) ?? false
    // What was typed on behind them would be in others’ word: these have written that, and accepted nothing.
    const runsOn = (one: string) =>
      !isKnown &&
      one !== written.suggested &&
      isOneWord(written.suggested, putBehind(changes, at + one.length))
    const brought = words.find((one) => mayBring(changes, written, one) && stands(one) && !runsOn(one))
    if (brought === undefined) {
      if (written.original === '' && !isTypedHere) alone.add(key)
      const there = placeNow(written, changes, standsAt)
      const isGone =
        isPlaceGone(written, changes) || (isWritten && saysOther(written, suggestionOf(after, now, key)))
      // What its author types in the text itself goes on with it, and of what was a part of a word more may be beside it.
      const isWhole = !isTypedHere && !sentWords.some((sent) => isPartSent(state, written, sent))
      if (there !== null && isWhole && isLarger(written, there)) grown.add(key)
      // What is only taken out has no words to keep: the letters beside it, which are another’s now, aren’t its.
      if ((grown.has(key) || isWritten) && !putsIn(own.stretches, key)) alone.add(key)
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

const putsIn = (stretches: Stretches, of: number) =>
  stretches.some(({ key, kind }) => key === of && kind === 'put in')

const placedAt = (pieces: readonly Piece[], at: number) =>
  pieces.map(({ from, to, insert }) => ({ from: at + from, to: at + to, insert }))
