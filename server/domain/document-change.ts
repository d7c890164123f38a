import type { Anchor, Range } from '../contract/records.ts'
import { CARRY_WORK, carryAnchors, carryRange, type TextChange } from './carry.ts'
import { ChangeMap } from './change-map.ts'
import {
  applyChanges,
  changesToJson,
  contentHash,
  hunksToJson,
  type ChangeSet,
  type ChangesJson,
} from './change-set.ts'
import { DIFF_WORK, textDiff } from './text-diff.ts'
import { foldsInto, type ChangeKind, type VersionHead } from './version.ts'

export interface AnchoredRecord {
  id: string
  kind: 'comment' | 'suggestion'
  /** null: it is about the whole document. */
  anchor: Anchor | null
  range: Range | null
}

export interface DocumentState {
  content: string
  title: string
  revision: number
  /** Milliseconds. */
  updatedAt: number
  anchors: readonly AnchoredRecord[]
  headVersion: VersionHead | null
}

export interface DocumentChange {
  /** The whole new text, or `changes` to the present one, or neither for a change of the title alone. */
  content?: string | undefined
  changes?: ChangeSet | undefined
  title?: string | undefined
  kind: Exclude<ChangeKind, 'create'>
  authorKey: string
  /** Whether the author knew the revision that this changes (`If-Match`, or a base revision in the live editor). */
  informed: boolean
  /** Whether its version may take the place of its author's own before it, whatever that one held. */
  crowded: boolean
  /** What comparing the texts and following the anchors may cost, if less than usual. */
  work?: { diff: number; carry: number } | undefined
  /** Milliseconds. */
  at: number
}

/** What a guest's change may cost: everybody waits for it. */
export const GUEST_WORK = { diff: 25_000_000, carry: 15_000_000 }

export interface Outcome {
  content: string
  title: string
  revision: number
  updatedAt: number
  /** The entry of the log; null if it would be longer than a log may be, which then begins after it. */
  log: string | null
  hash: number
  /** Only the anchors whose range is another one now. */
  moved: { id: string; range: Range | null }[]
  /** Whether to add a version, to let it replace the newest one, or to leave the versions as they are. */
  version: 'new' | 'fold' | 'none'
  /** What the version is called: a change of the title alone is one, however it was sent. */
  kind: DocumentChange['kind']
  removed: number
  inserted: number
}

/**
 * Every change of a document goes through this one function, whichever door it came in by: a PATCH, a keystroke, an
 * accepted suggestion, a restore, an import. That is why there is one log, one order, and no way to change the text
 * without carrying its anchors along and keeping what was there before.
 */
export function changeDocument(state: DocumentState, change: DocumentChange): Outcome {
  const { content, map, log } = change.changes
    ? edited(state.content, change.changes)
    : rewritten(state.content, change.content ?? state.content, change.work?.diff)
  const title = change.title ?? state.title
  const renamed = title !== state.title
  const rewrote = content !== state.content
  const kind = renamed && !rewrote && change.kind === 'edit' ? 'title' : change.kind
  // What somebody decided is worth coming back to, whether or not it made a difference.
  const leaves = renamed || rewrote || kind === 'suggestion'
  const { removed, inserted } = map.size
  const folds = !renamed && foldsInto(state.headVersion, { ...change, kind, removed })
  return {
    content,
    title,
    revision: state.revision + 1,
    updatedAt: Math.max(change.at, state.updatedAt + 1),
    log,
    hash: contentHash(content),
    moved: map.empty
      ? []
      : movedAnchors(state.anchors, { before: state.content, after: content, map }, change.work?.carry),
    version: !leaves ? 'none' : folds ? 'fold' : 'new',
    kind,
    removed,
    inserted,
  }
}

interface Edit {
  content: string
  map: ChangeMap
  log: string | null
}

function rewritten(before: string, content: string, most = DIFF_WORK): Edit {
  const hunks = textDiff(before, content, { left: most })
  const map = new ChangeMap(hunks, before.length)
  return { content, map, log: entryOf(map, content, () => hunksToJson(hunks, before, content)) }
}

function edited(before: string, changes: ChangeSet): Edit {
  const content = applyChanges(before, changes)
  const map = ChangeMap.of(changes)
  return { content, map, log: entryOf(map, content, () => changesToJson(changes)) }
}

/** As long as all that a log holds of a document. */
const LONGEST_ENTRY = 4 * 1024 * 1024

function entryOf(map: ChangeMap, content: string, json: () => ChangesJson): string | null {
  let length = map.size.inserted
  for (const { start, end } of map.inserted) {
    const text = content.slice(start, end)
    // Each line is an element of its own, which takes more room than its end did.
    for (let at = text.indexOf('\n'); at >= 0 && length <= LONGEST_ENTRY; at = text.indexOf('\n', at + 1))
      length += 3
    if (length > LONGEST_ENTRY) return null
  }
  const entry = JSON.stringify(json())
  return entry.length > LONGEST_ENTRY ? null : entry
}

function movedAnchors(
  anchors: readonly AnchoredRecord[],
  change: TextChange,
  most = CARRY_WORK,
): Outcome['moved'] {
  const quoted = anchors.flatMap((one) => (one.anchor ? [{ ...one, anchor: one.anchor }] : []))
  const places = carryAnchors(quoted, change, { left: most })
  const now = [
    ...quoted.map((one, i) => ({ ...one, now: places[i]! })),
    ...anchors.flatMap((one) =>
      !one.anchor && one.range ? [{ ...one, now: carryRange(change.map, one.range) }] : [],
    ),
  ]
  return now.flatMap(({ id, range, now: place }) =>
    place?.start === range?.start && place?.end === range?.end ? [] : [{ id, range: place }],
  )
}
