const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}_'’]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}\p{M}_'’]/u

/**
 * What has to stand between two texts so that the words at their ends don’t run into each other: a line end where what
 * they are of is of several lines.
 */
export function separator(mine: string, theirs: string, passage = mine + theirs): string {
  if (!ENDS_IN_WORD.test(mine.slice(-2)) || !BEGINS_WITH_WORD.test(theirs)) return ''
  return passage.includes('\n') ? '\n' : ' '
}
