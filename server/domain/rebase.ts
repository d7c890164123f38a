import type { ChangeSet } from '@codemirror/state'

/** A change with whether what it puts in goes on with what its author has put in just before it. */
export interface RebasedChange {
  changes: ChangeSet
  goesOn: boolean
}

/**
 * Brings changes that were made one after the other on a text over a change that was made on the same text meanwhile.
 * Answers what they are after it, and what it is after them. Where both put something in at one place, what came first
 * stays first; but what goes on with its author’s own words stays next to these, or else a word would be torn wherever
 * somebody writes just behind it.
 *
 * The server and every editor call this, and for one change after another: changes that are joined before they are
 * mapped end up elsewhere in rare cases, and then two copies of a text differ (see docs/decisions.md).
 */
export function rebase(
  ours: readonly RebasedChange[],
  over: ChangeSet,
): { ours: ChangeSet[]; over: ChangeSet } {
  let rest = over
  const mapped = ours.map(({ changes, goesOn }) => {
    const now = changes.map(rest, goesOn)
    rest = rest.map(changes, !goesOn)
    return now
  })
  return { ours: mapped, over: rest }
}
