export type ChangeKind = 'create' | 'edit' | 'title' | 'suggestion' | 'restore' | 'import'

/** The newest version of a document: who made it through which door, and when its burst of edits began. */
export interface VersionHead {
  /** Author and door in one, such as `session:…`, `key:…` or `guest:…`. */
  authorKey: string
  kind: ChangeKind
  /** Milliseconds. */
  startedAt: number
}

export interface VersionedChange {
  authorKey: string
  kind: ChangeKind
  at: number
  /** Characters of existing text that it takes away. */
  removed: number
  /** Whether it was made knowing the revision that it changes. */
  informed: boolean
  /** Whether there are so many versions that what its author alone has written may go. */
  crowded: boolean
}

const BURST = 60_000
const MOST_REMOVED = 200

/**
 * Whether a change may replace the newest version instead of adding one. Only a burst of edits by one author through
 * one door does, and only while nothing can be lost by it: a change that takes away much of the text, or that was
 * made without knowing what it replaces, leaves the version before it untouched. Where there are too many versions,
 * only what others wrote is safe: an edit replaces the version that its own author's edit left just before.
 */
export function foldsInto(previous: VersionHead | null, next: VersionedChange): boolean {
  if (!previous || previous.kind !== 'edit' || next.kind !== 'edit') return false
  if (previous.authorKey !== next.authorKey) return false
  if (next.crowded) return true
  const age = next.at - previous.startedAt
  return age >= 0 && age < BURST && next.informed && next.removed <= MOST_REMOVED
}
