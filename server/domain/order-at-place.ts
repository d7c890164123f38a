import type { Range } from '../contract/records/anchors.ts'

/** The words that a suggestion is for, none where it only puts something in, and when it was made: a number that grows. */
export interface Turn extends Range {
  turn: number
}

/**
 * Whether what one suggestion makes of its place stands before what another makes of its own, once both are accepted. The
 * one rule of that, by which the server accepts and an editor draws: what is for words stays with these; of what is put in
 * at one place, that comes first which was made first.
 */
export function standsBefore(one: Turn, other: Turn): boolean {
  const isPlace = ({ start, end }: Range) => start === end
  if (isPlace(one) && isPlace(other) && one.start === other.start) return one.turn < other.turn
  return one.end <= other.start
}
