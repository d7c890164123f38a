import type { Splice } from './weave.ts'

/** So far what is put in or taken out may be told as put in or taken out beside that. */
const FAR = 8

/** What is better not told so. */
export interface Telling {
  /** Whether a place is between words that belong together. */
  cuts(place: number): boolean
  /** Whether something that may come back stood between two places. */
  isOver(from: number, to: number): boolean
  /** Whether something between two places was put in by a decision that may be taken back. */
  isDecided(from: number, to: number): boolean
}

/**
 * Splices, each where it cuts through no words that belong together and takes nothing along that stood there before, if
 * the same text may be told so: who takes out “One.\n\n” before “\n\nTwo” may as well have taken out the line ends before
 * it.
 * @param read what stands in the text before them
 */
export function slid(
  splices: readonly Splice[],
  length: number,
  read: (from: number, to: number) => string,
  telling: Telling,
): Splice[] {
  const isGood = (from: number, to: number) =>
    !telling.cuts(from) && !telling.cuts(to) && !telling.isOver(from, to)
  return splices.map((splice, i) => {
    const { from, to, insert } = splice
    if (from < to && insert !== '') return splice
    const words = from < to ? read(from, to) : insert
    const least = splices[i - 1]?.to ?? 0
    const most = splices[i + 1]?.from ?? length
    const [before, behind] = [read(Math.max(least, from - FAR), from), read(to, Math.min(most, to + FAR))]
    const mayTurn = before.at(-1) === words.at(-1) || behind[0] === words[0]
    if (!mayTurn || isGood(from, to)) return splice
    for (let by = 1; by <= FAR; by++)
      for (const way of [-by, by]) {
        const shown = way < 0 ? before.slice(way) : behind.slice(0, way)
        const own = way < 0 ? words.slice(way) : words.slice(0, way)
        if (shown.length < by || shown !== own || !isGood(from + way, to + way)) continue
        const [start, end] = way < 0 ? [from + way, from] : [to, to + way]
        if (insert === '' && telling.isDecided(start, end)) continue
        const turned = way < 0 ? own + words.slice(0, way) : words.slice(way) + own
        return { from: from + way, to: to + way, insert: insert === '' ? '' : turned }
      }
    return splice
  })
}
