import type { Side } from './carried-edits.ts'
import type { Hunk } from './hunk.ts'
import { arePair } from './mark-pair.ts'
import type { Merged } from './merged.ts'
import { changeOf, hunksOf, withoutThese } from './side-without.ts'

/**
 * Merges two sides without the marks of bold and the like, and of links, that one put around words that the other took
 * out: they would stand around nothing.
 */
export function mergeWithoutEmptyMarks(
  base: string,
  mine: Side,
  theirs: Side,
  merge: (mine: Side, theirs: Side) => Merged,
): Merged {
  const [ofMine, ofTheirs] = [emptyMarks(base, mine, theirs), emptyMarks(base, theirs, mine)]
  if (ofMine.size + ofTheirs.size === 0) return merge(mine, theirs)
  const [myRest, theirRest] = [withoutThese(base, mine, ofMine), withoutThese(base, theirs, ofTheirs)]
  const merged = merge(myRest.side, theirRest.side)
  const { text, changes, changesOfTheirs } = merged
  const whole = ({ side, reverted }: typeof myRest, hunks: readonly Hunk[]) =>
    hunksOf(reverted.compose(changeOf(side[0].length, hunks, text)))
  return {
    ...merged,
    changes: whole(myRest, changes),
    changesOfTheirs: whole(theirRest, changesOfTheirs),
  }
}

/** The marks that one side put around words, and nothing else, where the other took these out and wrote nothing. */
function emptyMarks(base: string, [text, hunks]: Side, [other, byOther]: Side): ReadonlySet<Hunk> {
  const found = new Set<Hunk>()
  for (const { fromA, toA, fromB, toB } of byOther) {
    if (fromA === toA || other.slice(fromB, toB).trim() !== '') continue
    const within = hunks.filter((one) => one.fromA >= fromA && one.toA <= toA)
    const put = within.map((one) => text.slice(one.fromB, one.toB))
    for (let i = 1; i < within.length; i++) {
      const [before, behind] = [within[i - 1]!, within[i]!]
      const words = base.slice(before.toA, behind.fromA)
      const areMarks = [before, behind].every((one) => one.fromA === one.toA) && arePair(put[i - 1]!, put[i]!)
      if (areMarks && words.trim() !== '') found.add(before).add(behind)
    }
  }
  return found
}

const areMarks = (text: string) => /^[*_~`]+$/.test(text)

/**
 * Whose marks come first where both begin or end bold and the like at one place: those around fewer words stand within the
 * others, and of those around the same words code, in which signs are no marks. Null where either puts in something else,
 * or both the same.
 */
export function nested(
  base: string,
  at: number,
  [mine, byMine]: [string, Side],
  [theirs, byTheirs]: [string, Side],
): 'mine' | 'theirs' | null {
  if (mine === theirs || !areMarks(mine) || !areMarks(theirs)) return null
  const isEnd = base.slice(at - 1, at).trim() !== '' && !/[\p{L}\p{N}]/u.test(base.slice(at, at + 1))
  const [myWords, theirWords] = [wordsIn(byMine, at, mine, isEnd), wordsIn(byTheirs, at, theirs, isEnd)]
  const isMineOuter = myWords === theirWords ? !mine.includes('`') : myWords > theirWords
  return isMineOuter === isEnd ? 'theirs' : 'mine'
}

/** How much stands between a mark that is put in and the other of its pair. */
function wordsIn([text, hunks]: Side, at: number, mark: string, isEnd: boolean): number {
  const isOther = ({ fromA, toA, fromB, toB }: Hunk) =>
    fromA === toA && (isEnd ? fromA < at : fromA > at) && arePair(mark, text.slice(fromB, toB))
  const other = isEnd ? hunks.findLast(isOther) : hunks.find(isOther)
  return other ? Math.abs(other.fromA - at) : 0
}
