import type { ChangeSet, Text } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import type { RebasedChange } from './rebase.ts'

interface Part extends Range {
  from: number
  text: string
}

/** What a change takes out and doesn’t replace, and what it puts in without replacing anything. */
function partsOf(changes: ChangeSet, before: Text): Record<'taken' | 'put', Part[]> {
  const [taken, put]: [Part[], Part[]] = [[], []]
  changes.iterChanges((from, to, start, end, inserted) => {
    if (start === end) taken.push({ from, start: from, end: to, text: before.sliceString(from, to) })
    else if (from === to) put.push({ from, start, end, text: inserted.toString() })
  })
  return { taken, put }
}

/**
 * Where words stand that were moved here as another has moved them meanwhile, from the same place to the same: a line that
 * two have moved on past the next, say. They were taken out once, and put in by both. What two have only written alike is
 * theirs, each.
 * @param before the text that both were made on
 * @param waiting what waits here, one after the other
 * @param ours the same after theirs
 * @returns places in the text that all of these leave
 */
export function movedAlike(
  before: Text,
  waiting: readonly RebasedChange[],
  ours: readonly ChangeSet[],
  theirs: ChangeSet,
): Range[] {
  let [text, over] = [before, theirs]
  return waiting.flatMap(({ changes, goesOn }, i) => {
    const [own, other] = [partsOf(changes, text), partsOf(over, text)]
    const isMoved = ({ from, text: words }: Part) =>
      other.put.some((one) => one.from === from && one.text === words) &&
      own.taken.some(
        (one) =>
          isSameWords(one.text, words) &&
          other.taken.some(({ start, end }) => start === one.start && end === one.end),
      )
    const moved = own.put.filter(isMoved)
    text = changes.apply(text)
    over = over.map(changes, !goesOn)
    if (moved.length === 0) return []
    return moved.flatMap(({ text: words }) => {
      const found = placeOf(words, ours[i]!)
      if (!found) return []
      const after = ours.slice(i + 1)
      const start = after.reduce((at, one) => one.mapPos(at, 1), found.start)
      const end = after.reduce((at, one) => one.mapPos(at, -1), found.end)
      return end - start === words.length ? [{ start, end }] : []
    })
  })
}

/** Where a change puts words in, in the text that it makes. */
function placeOf(words: string, changes: ChangeSet): Range | null {
  let found: Range | null = null
  changes.iterChanges((from, to, start, end, inserted) => {
    if (from === to && inserted.toString() === words) found ??= { start, end }
  })
  return found
}

/** A line’s end is taken on one side of it and put in on the other. */
const isSameWords = (taken: string, put: string) => put.trim() !== '' && taken.trim() === put.trim()
