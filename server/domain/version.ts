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
}

const BURST = 60_000
const MOST_REMOVED = 200

/**
 * Whether a change may replace the newest version instead of adding one. Only a burst of edits by one author through
 * one door does, and only while nothing can be lost by it: a change that takes away much of the text, or that was
 * made without knowing what it replaces, leaves the version before it untouched.
 */
export function foldsInto(previous: VersionHead | null, next: VersionedChange): boolean {
  if (!previous || previous.kind !== 'edit' || next.kind !== 'edit') return false
  const age = next.at - previous.startedAt
  return (
    previous.authorKey === next.authorKey &&
    age >= 0 &&
    age < BURST &&
    next.informed &&
    next.removed <= MOST_REMOVED
  )
}
