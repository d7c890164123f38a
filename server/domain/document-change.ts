import { carryAnchor, carryBudget, carryRange, type Anchor, type Range } from './anchor.ts'
import { applyChanges, changesBetween, changeSize, ChangeSet, contentHash } from './change-set.ts'
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
  /** Milliseconds. */
  at: number
}

export interface Outcome {
  content: string
  title: string
  revision: number
  updatedAt: number
  changes: ChangeSet
  hash: number
  /** Only the anchors whose range is another one now. */
  moved: { id: string; range: Range | null }[]
  /** Whether to add a version, to let it replace the newest one, or to leave the versions as they are. */
  version: 'new' | 'fold' | 'none'
  removed: number
  inserted: number
}

/**
 * Every change of a document goes through this one function, whichever door it came in by: a PATCH, a keystroke, an
 * accepted suggestion, a restore, an import. That is why there is one log, one order, and no way to change the text
 * without carrying its anchors along and keeping what was there before.
 */
export function changeDocument(state: DocumentState, change: DocumentChange): Outcome {
  const changes = change.changes ?? textChanges(state.content, change.content)
  const content = change.changes ? applyChanges(state.content, changes) : (change.content ?? state.content)
  const title = change.title ?? state.title
  const { removed, inserted } = changeSize(changes)
  const renamed = title !== state.title
  const kind = renamed && change.kind === 'edit' ? 'title' : change.kind
  const changed = renamed || content !== state.content
  const folds = foldsInto(state.headVersion, { ...change, kind, removed })
  return {
    content,
    title,
    revision: state.revision + 1,
    updatedAt: Math.max(change.at, state.updatedAt + 1),
    changes,
    hash: contentHash(content),
    moved: changes.empty ? [] : movedAnchors(state.anchors, content, changes),
    version: !changed ? 'none' : folds ? 'fold' : 'new',
    removed,
    inserted,
  }
}

function textChanges(before: string, after: string | undefined): ChangeSet {
  return after === undefined ? ChangeSet.empty(before.length) : changesBetween(before, after)
}

// What one change may read to find lost words again, for all its anchors together.
const SEARCHED = 4_000_000

function movedAnchors(
  anchors: readonly AnchoredRecord[],
  after: string,
  changes: ChangeSet,
): Outcome['moved'] {
  const moved: Outcome['moved'] = []
  const budget = carryBudget(SEARCHED)
  for (const { id, anchor, range } of anchors) {
    const now = anchor
      ? carryAnchor({ anchor, range }, after, changes, budget)
      : range && carryRange(changes, range)
    if (now?.start !== range?.start || now?.end !== range?.end) moved.push({ id, range: now })
  }
  return moved
}
