import type { Range } from '../contract/records/anchors.ts'
import { placeNewAnchor, placeReturned } from './anchors/place-through-log.ts'
import { changesToJson, type LoggedChanges } from './change-set.ts'
import type { Past } from './acceptance.ts'
import { changeOf, DecidedWeave } from './decided-weave.ts'
import { plainEditByDecision, type AnchoredRecord, type Edited } from './document-change.ts'
import { endsApart } from './ends-apart.ts'
import { ReopenedPlaces, type Outcome } from './reopened-places.ts'
import type { Reopenable } from './reopenable.ts'
import { stepsToUndo } from './steps-to-undo.ts'

export interface Reopening {
  content: string
  suggestions: readonly Reopenable[]
  /** The text before the decisions, and all that was done since; null where that isn’t known. */
  past: Past | null
  /** All that stand in the text now. */
  anchors: readonly AnchoredRecord[]
}

export interface Reopened {
  /** Of each suggestion, in the same order; null if it can’t be taken back. */
  outcomes: (Outcome | null)[]
  /** What taking back all of them is together; null if that leaves the text as it is. */
  edit: Edited<string> | null
}

/**
 * What becomes of a text as decisions are taken back, as one change: what it were if they had never been made. Accepted
 * words are taken out only if they stand as they were put in; all else in the text stays.
 */
export function reopenSuggestions({ content, suggestions, past, anchors }: Reopening): Reopened {
  const made = past && new DecidedWeave(past)
  const woven = made?.text.whole === content ? made : null
  const steps = woven ? stepsToUndo(woven, suggestions) : new Map<number, number>()
  const undo = new Set(steps.values())
  const isBack = ({ status }: Reopenable, index: number) => status === 'rejected' || steps.has(index)
  if (!woven || !past) {
    const outcomes = suggestions.map((one, index) =>
      isBack(one, index) ? { range: standsToday(content, one, [], 0) } : null,
    )
    return { outcomes, edit: null }
  }
  const turned = woven.weave.turned({ undo }, woven.read)
  const back = changeOf(turned.splices, content.length)
  const returned = woven.text.changed(back)
  const ends = endsApart(woven, turned.weave, undo, returned, past.acceptances)
  const changes = back.compose(changeOf(ends, returned.length))
  const weave = turned.weave.changedBy(ends, (from, to) => returned.slice(from, to))
  const edit = changes.empty ? null : plainEditByDecision(content, changes, anchors)
  const after = edit?.content ?? content
  const places = new ReopenedPlaces({ woven, weave, after, undo, acceptances: past.acceptances })
  const log = [...past.log, { revision: Infinity, changes: changesToJson(changes) }]
  const outcomes = suggestions.map((one, index) => {
    if (!isBack(one, index)) return null
    const found = one.status === 'rejected' ? standsToday(after, one, log, past.revision + 1) : null
    return places.outcomeOf(one, steps.get(index), found)
  })
  return { outcomes, edit: edit && { ...edit, moved: places.moved(edit.moved, anchors) } }
}

/** Where the anchor of a rejected one stands in the text as it is now, told by the changes since alone. */
function standsToday(
  content: string,
  { anchor, range, revision, original_text }: Reopenable,
  log: readonly { revision: number; changes: LoggedChanges }[],
  first: number,
): Range | null {
  if (!anchor) return null
  const isKnown = revision !== null && revision + 1 >= first
  if (!isKnown) return placeNewAnchor({ content, anchor })
  const since = log.filter((one) => one.revision > revision).map(({ changes }) => changes)
  if (!range) return placeReturned(content, { ...anchor, exact: original_text }, since)
  const length = range.end - range.start
  const words = [original_text, anchor.exact].find((one) => one.length === length) ?? anchor.exact
  return placeNewAnchor({ content, anchor: { ...anchor, exact: words, start: range.start }, log: since })
}
