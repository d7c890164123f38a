import type { ChangeSet } from '@codemirror/state'

/**
 * Brings changes that were made one after the other on a text over a change that was made on the same text meanwhile.
 * Answers what they are after it, and what it is after them. Where both put something in at one place, what came first
 * stays first.
 *
 * The server and every editor call this, and for one change after another: changes that are joined before they are
 * mapped end up elsewhere in rare cases, and then two copies of a text differ (see docs/decisions.md).
 */
export function rebase(ours: readonly ChangeSet[], over: ChangeSet): { ours: ChangeSet[]; over: ChangeSet } {
  let rest = over
  const mapped = ours.map((change) => {
    const now = change.map(rest)
    rest = rest.map(change, true)
    return now
  })
  return { ours: mapped, over: rest }
}
