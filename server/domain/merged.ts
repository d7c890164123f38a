import type { ChangeSet } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'
import { textOf } from './shared-text.ts'
import type { TakenWords } from './taken-words.ts'

/** A place that both sides changed. Both texts are kept in the merged one, mine first. */
export interface Conflict {
  base: Range
  mine: string
  /** What stands in the text of mine, where that isn’t all. */
  put?: string
  theirs: string
  /** Where both stand in the merged text. */
  at: Range
}

/** What a merge has put between words of both sides, so that they don’t run into each other. */
export interface SetApart extends Range {
  /** Whether it is of the words behind it, as a line’s mark is, and not of those before. */
  isBefore: boolean
}

export interface Merged {
  text: string
  conflicts: Conflict[]
  gaps: SetApart[]
  /** What both put in alike, and stands once. */
  alike: Range[]
  /** What I took out and stands in the merged text all the same, with theirs. */
  standing: TakenWords[]
  /** What makes the merged text of mine: what the other side did, and nothing that I did. */
  changes: Hunk[]
  /** What makes it of theirs: what I did, and nothing that the other side did. */
  changesOfTheirs: Hunk[]
}

/** Where in the merged text that stands which I put in places that both changed. */
export const putOfMine = (conflicts: readonly Conflict[]): Range[] =>
  conflicts.map(({ at: { start }, mine, put = mine }) => ({ start, end: start + put.length }))

/** What is merged, and where what is told of it stands, after one more change. What makes it of either side is to be told apart. */
export function changedBy(merged: Merged, changes: ChangeSet): Omit<Merged, 'changes' | 'changesOfTheirs'> {
  const now = ({ start, end }: Range): Range => ({
    start: changes.mapPos(start, 1),
    end: changes.mapPos(end, -1),
  })
  const moved = <One extends { at: Range }>(one: One): One => ({ ...one, at: now(one.at) })
  return {
    text: changes.apply(textOf(merged.text)).toString(),
    conflicts: merged.conflicts.map(moved),
    gaps: merged.gaps.map((gap) => ({ ...gap, ...now(gap) })),
    alike: merged.alike.map(now),
    standing: merged.standing.map(moved),
  }
}
