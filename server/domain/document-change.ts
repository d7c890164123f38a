import type { Anchor, Range } from '../contract/records/anchors.ts'
import type { Beside } from '../contract/records/suggestions.ts'
import { isInsertion } from './anchors/insertion-place.ts'
import { mapInsertions } from './anchors/insertions-after-changes.ts'
import { linesAfterDecision, type LineEnds, type PutInNow } from './anchors/lines-after-decisions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import { mapAnchors, mapRange } from './anchors/anchors-after-changes.ts'
import { CHANGE_BUDGET, type ChangeBudget } from './budget.ts'
import { ChangeMap, type TextChange } from './change-map.ts'
import { sizeOfChange, type ChangeSize } from './change-size.ts'
import { changesToJson, hunksToJson, hunksToShape, type ChangeSet, type ChangesJson } from './change-set.ts'
import { contentHash } from './content-hash.ts'
import { textDiff } from './diff/index.ts'
import { PiecedText, type Readable } from './pieced-text.ts'
import {
  continuesSession,
  endsSessions,
  isPartOfSession,
  type ChangeKind,
  type VersionSession,
} from './version-sessions.ts'

export interface AnchoredRecord {
  id: string
  kind: 'comment' | 'suggestion'
  /** null: it is about the whole document. */
  anchor: Anchor | null
  range: Range | null
  /** Of a suggestion that puts something in, or that replaces lines and has no line end behind. */
  suggested_text?: string
  /** Of one that puts lines in, as its author put them, where a decision has put others. */
  lineEnds?: LineEnds | null
  /** Where it stood before decisions that touched that, the oldest first. */
  takenOut?: readonly PlaceBefore[]
  /** Of one that puts something in: the one beside whose words it stood while these were accepted. */
  beside?: Beside
}

export interface DocumentState {
  text: PiecedText
  title: string
  revision: number
  /** Milliseconds. */
  updatedAt: number
  anchors: readonly AnchoredRecord[]
  /** Of the author of the change. */
  session: VersionSession | null
}

export interface DocumentChange {
  /** The whole new text, or `changes` to the present one, or neither for a change of the title alone. */
  content?: string | undefined
  changes?: ChangeSet | undefined
  title?: string | undefined
  kind: Exclude<ChangeKind, 'create'>
  /** Whether the author knew the revision that this changes (`If-Match`, or a base revision in the live editor). */
  informed: boolean
  /** What comparing the texts and following the anchors may cost, if less than usual. */
  budget?: ChangeBudget | undefined
  /** Milliseconds. */
  at: number
}

/** What of a change follows from the texts and the anchors alone, and may take long to work out. */
export interface Edit extends ChangeSize {
  /** `LoggedChanges` as JSON. */
  log: string
  /** Whether `log` leaves out what was inserted: then the log needs a keyframe of the new text. */
  isShape: boolean
  hash: number
  /**
   * Only the anchors whose range is another one now, that put in their lines with other line ends around them, or of which
   * it is known now where they stood before. With `around`, what its anchor says from now on of what
   * stands around its words.
   */
  moved: (Pick<
    AnchoredRecord,
    'id' | 'kind' | 'range' | 'suggested_text' | 'lineEnds' | 'takenOut' | 'beside'
  > & { around?: Pick<Anchor, 'prefix' | 'suffix'> })[]
}

/** An edit with the text that it leads to. */
export interface Edited<Text extends string | PiecedText = string | PiecedText> extends Edit {
  content: Text
}

export interface ChangeOutcome extends Edit {
  text: PiecedText
  title: string
  revision: number
  updatedAt: number
  /** Whether to add a version, to extend its author's newest one, or to leave the versions as they are. */
  version: 'new' | 'extended' | 'none'
  /** Whether further changes may belong to a new version. */
  isOpen: boolean
  /** Whether it ends the versions that are being written. */
  ends: boolean
  /** What the version is called: a change of the title alone is one, however it was sent. */
  kind: DocumentChange['kind']
}

/**
 * Every change of a document goes through this one function, whichever channel it came by: a PATCH, a keystroke, an
 * accepted suggestion, a restore, an import. That is why there is one log, one order, and no way to change the text
 * without mapping its anchors and keeping what was there before.
 * @param edited what the change makes of the text and the anchors, where that was worked out before
 */
export function changeDocument(
  state: DocumentState,
  change: DocumentChange,
  { content, ...edit }: Edited = editOf(state, change),
): ChangeOutcome {
  const text = PiecedText.of(content)
  const title = change.title ?? state.title
  const renamed = title !== state.title
  const rewrote = !text.equals(state.text)
  const kind = renamed && !rewrote && change.kind === 'edit' ? 'title' : change.kind
  // What somebody decided is worth coming back to, whether or not it made a difference.
  const leaves = renamed || rewrote || kind === 'suggestion'
  const versioned = { ...change, kind, renamed, removed: edit.removed }
  return {
    ...edit,
    text,
    title,
    revision: state.revision + 1,
    updatedAt: Math.max(change.at, state.updatedAt + 1),
    version: !leaves ? 'none' : continuesSession(state.session, versioned) ? 'extended' : 'new',
    isOpen: isPartOfSession(versioned),
    ends: endsSessions(versioned),
    kind,
  }
}

function editOf({ text, anchors }: DocumentState, change: DocumentChange): Edited {
  if (change.changes) return editByChanges(text, change.changes, anchors, change.budget?.anchors)
  const after = change.content ?? text.whole
  return { content: after, ...workOutEdit({ before: text.whole, after, anchors, budget: change.budget }) }
}

export interface TextEdit {
  before: string
  after: string
  anchors: readonly AnchoredRecord[]
  budget?: DocumentChange['budget']
}

/** How one text becomes another, told by comparing them, and where that leaves its anchors. */
export function workOutEdit({ before, after, anchors, budget }: TextEdit): Edit {
  const hunks = textDiff(before, after, { left: (budget ?? CHANGE_BUDGET).diff })
  const map = new ChangeMap(hunks, before.length)
  const entry = entryOf(map, after.length, () => hunksToJson(hunks, before, after))
  const edit = consequences({ before, after, map }, anchors, budget?.anchors)
  return { ...entry, hash: contentHash(after), ...edit }
}

/** The same where one knows what changed. */
export function editByChanges(
  before: PiecedText,
  changes: ChangeSet,
  anchors: readonly AnchoredRecord[],
  budget?: number,
  isDecided = false,
): Edited<PiecedText> {
  const after = before.changed(changes)
  const map = ChangeMap.of(changes)
  const entry = entryOf(map, after.length, () => changesToJson(changes))
  const edit = {
    ...entry,
    ...consequences({ before, after, map, isKnown: true, isDecided }, anchors, budget),
  }
  return { content: after, hash: after.hash, ...edit }
}

/** What a decision changes in a string, as plain data, which threads can hand to each other. */
export function plainEditByDecision(
  before: string,
  changes: ChangeSet,
  anchors: readonly AnchoredRecord[],
): Edited<string> {
  const edited = editByChanges(PiecedText.of(before), changes, anchors, undefined, true)
  return { ...edited, content: edited.content.whole }
}

function consequences(
  change: TextChange<Readable>,
  anchors: readonly AnchoredRecord[],
  budget: number | undefined,
): Omit<Edit, 'log' | 'isShape' | 'hash'> {
  const moved = change.map.empty || anchors.length === 0 ? [] : movedAnchors(anchors, change, budget)
  return { moved, ...sizeOfChange(change) }
}

/** So many inserted characters an entry holds at least, and at most; between these, as many as half of the text. */
const SHORT = 64 * 1024
const LONG = 1024 * 1024

function entryOf(map: ChangeMap, length: number, json: () => ChangesJson): Pick<Edit, 'log' | 'isShape'> {
  const isShape = map.size.inserted > Math.max(SHORT, Math.min(LONG, length / 2))
  return { log: JSON.stringify(isShape ? hunksToShape(map.hunks, map.length) : json()), isShape }
}

/** What another decision has changed stays there, though its words as they had been come elsewhere. */
function ownPlace(
  { range, takenOut = [] }: AnchoredRecord,
  found: Range | null,
  { isDecided, map }: TextChange<Readable>,
): Range | null {
  if (!isDecided || !range || !found || takenOut.length === 0) return found
  const now = mapRange(map, range)
  return now && (found.start >= now.end || found.end <= now.start) ? now : found
}

function movedAnchors(
  anchors: readonly AnchoredRecord[],
  change: TextChange<Readable>,
  most = CHANGE_BUDGET.anchors,
): Edit['moved'] {
  // What a decision has taken out is where that is put back, and not where something like it stands.
  const isKnown = ({ range, takenOut = [] }: AnchoredRecord) =>
    Boolean(change.isDecided) && !range && takenOut.length > 0
  const sought = anchors.filter((one) => !isKnown(one))
  const anchored = sought.filter(hasAnchor)
  const quoted = anchored.filter(({ anchor }) => !isInsertion(anchor))
  const insertions = anchored.filter(({ anchor }) => isInsertion(anchor))
  const places = mapAnchors(quoted, change, { left: most })
  const putIn = mapInsertions(insertions, change, { left: most })
  const lines = insertions.map(({ anchor, range, suggested_text, lineEnds }, i) =>
    change.isDecided && range && suggested_text !== undefined
      ? linesAfterDecision({ anchor, range, suggested_text, lineEnds }, change, putIn[i] !== null)
      : null,
  )
  return [
    ...quoted.flatMap((one, i) => newPlace(one, ownPlace(one, places[i]!, change))),
    ...anchors.flatMap((one) =>
      !one.anchor && one.range ? newPlace(one, mapRange(change.map, one.range)) : [],
    ),
    ...insertions.flatMap((one, i) => newPlace(one, lines[i]?.range ?? putIn[i]!, lines[i])),
  ]
}

const hasAnchor = (one: AnchoredRecord): one is AnchoredRecord & { anchor: Anchor } => one.anchor !== null

/** What is another place now than a record has, or puts in its lines otherwise. */
function newPlace(
  { id, kind, range, suggested_text, lineEnds = null }: AnchoredRecord,
  place: Range | null,
  put: PutInNow | null = null,
): Edit['moved'] {
  const isSame = !put || (put.suggested_text === suggested_text && put.lineEnds === lineEnds)
  if (isSame && place?.start === range?.start && place?.end === range?.end) return []
  const said = isSame ? {} : { suggested_text: put.suggested_text, lineEnds: put.lineEnds }
  return [{ id, kind, range: place, ...said }]
}
