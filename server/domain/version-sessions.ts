import { minute } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'

export type ChangeKind = 'create' | 'edit' | 'title' | 'suggestion' | 'reopening' | 'restore' | 'import'

/** The newest version that an author has left of a document. */
export interface VersionSession {
  /** When its last change was made, in milliseconds. */
  endedAt: number
  /** Whether further changes may belong to it. */
  isOpen: boolean
}

export interface VersionedChange {
  kind: ChangeKind
  at: number
  /** Characters of existing text that it takes away. */
  removed: number
  /** Whether it was made knowing the revision that it changes. */
  informed: boolean
  /** Whether it gives the document another title. */
  renamed: boolean
}

/** Whether a change may share its version with others of its author: one that is looked for later has its own. */
export const isPartOfSession = ({ kind, informed, removed, renamed }: VersionedChange): boolean =>
  kind === 'edit' && informed && !renamed && removed <= limits.versionRemoved

/**
 * Whether everybody's versions end with the text before a change, though they write on, so that what it takes away stays
 * in one: where it is a version of its own, such as a restore, and takes away more than a word or two. What people take
 * out while they write together doesn't: it is in the history.
 */
export const endsSessions = (change: VersionedChange): boolean =>
  !isPartOfSession(change) && change.removed > limits.versionRemovedKept

/**
 * Whether a change belongs to its author's newest version instead of being one of its own: they haven't paused since,
 * though others may have written meanwhile. No text is lost by that: the log has each.
 */
export function continuesSession(session: VersionSession | null, change: VersionedChange): boolean {
  if (!session?.isOpen || !isPartOfSession(change)) return false
  // Changes of one moment are written down some milliseconds apart; a clock may be set back.
  return Math.abs(change.at - session.endedAt) < limits.versionPauseMinutes * minute
}
