import type { Range } from '../contract/records/anchors.ts'
import { acceptSuggestions, type Acceptance } from './accept-suggestions.ts'
import { completeChanges, type ChangesJson, type LoggedChanges } from './change-set.ts'
import type { AnchoredRecord, Edit } from './document-change.ts'

type Suggested = Acceptance['suggestions'][number]
type Moved = Edit['moved'][number]

/** One change of the text, by which some are accepted that stand apart. */
export interface AcceptingChange {
  /** Which of those that were asked, by number, and where what each says stands in the new text. */
  accepted: { index: number; place: Range | null }[]
  changes: ChangesJson
  edit: Edit
}

/**
 * What becomes of a text as suggestions are accepted, as if one by one in their order: those that stand apart are one
 * change, and from one on that others have touched, the rest has its turn in the text that the changes before have made.
 * All of it at once, since nobody is answered between what each change would otherwise be asked for. What is moved by
 * several is told with the last.
 */
export function acceptInTurn(acceptance: Acceptance): AcceptingChange[] {
  const { revision } = acceptance
  let { content, anchors } = acceptance
  let left = acceptance.suggestions.map((one, index) => ({ index, one }))
  const made: AcceptingChange[] = []
  const movedOf = new Map<string, Moved>()
  while (left.length > 0) {
    const suggestions = left.map(({ one }) => one)
    const noted = revision === undefined ? {} : { revision: revision + made.length }
    const asked = { ...acceptance, content, anchors, suggestions, ...noted }
    const { applied, places, edit } = acceptSuggestions(asked)
    if (!edit) break
    const { content: after, ...rest } = edit
    const changes = completeChanges(JSON.parse(edit.log) as LoggedChanges, after)
    const accepted = left.flatMap(({ index }, i) => (applied[i] ? [{ index, place: places[i]! }] : []))
    made.push({ accepted, changes, edit: { ...rest, moved: [] } })
    for (const one of edit.moved) movedOf.set(one.id, { ...movedOf.get(one.id), ...one })
    const now = new Map(edit.moved.map((one) => [one.id, one]))
    const refused = suggestions.slice(0, applied.length).filter((one, i) => !applied[i] && one.anchor)
    content = after
    anchors = [...anchors, ...refused.map(asRecord)].map((one) => movedBy(one, now.get(one.id)))
    left = left.slice(applied.length).map(({ index, one }) => ({ index, one: movedBy(one, now.get(one.id)) }))
  }
  const last = made.at(-1)
  if (last) last.edit = { ...last.edit, moved: [...movedOf.values()] }
  return made
}

/** As what it stands in the text, and is put in. */
function movedBy<One extends Suggested | AnchoredRecord>(one: One, moved: Moved | undefined): One {
  if (!moved) return one
  const { range, suggested_text, lineEnds, takenOut } = moved
  return {
    ...one,
    range,
    ...(suggested_text !== undefined && { suggested_text, lineEnds: lineEnds ?? null }),
    ...(takenOut && { takenOut }),
  }
}

/** As what one that stays pending stands beside others, as all do whose turn it isn’t. */
function asRecord({
  id,
  anchor,
  range,
  original_text,
  suggested_text,
  lineEnds = null,
  takenOut = [],
}: Suggested) {
  const record: AnchoredRecord = { id, kind: 'suggestion', anchor, range, takenOut }
  const [hadEnd, hasEnd] = [original_text.endsWith('\n'), suggested_text.endsWith('\n')]
  const putsLines = original_text === '' || lineEnds || (hadEnd && suggested_text !== '' && !hasEnd)
  return putsLines ? { ...record, suggested_text, lineEnds } : record
}

/**
 * In how many changes they may be accepted at most: each of them that stands where another does may have to wait for that.
 * Counted by their places alone, which costs nothing beside accepting them.
 */
export function mostAcceptingChanges(suggestions: readonly Pick<Suggested, 'range'>[]): number {
  const places = suggestions.flatMap(({ range }) => range ?? [])
  let made = 1
  let reached = -1
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (start <= reached) made++
    reached = Math.max(reached, end)
  }
  return made
}
