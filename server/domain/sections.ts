/** A heading, and where the block begins in which it stands. */
interface SectionHeading {
  level: number
  block: number
}

/**
 * How far what is under each heading goes: up to the next that isn't below it, or to the text's end. Headings inside of
 * one block, such as a quotation, aren't told apart. Each is looked at once, however many there are.
 */
export function sectionEnds(headings: readonly SectionHeading[], length: number): number[] {
  const ends = new Array<number>(headings.length)
  /** Where the next heading of each level stands, behind the block that is looked at. */
  const next = new Array<number>(7).fill(length)
  for (let last = headings.length - 1; last >= 0;) {
    const { block } = headings[last]!
    let first = last
    while (first > 0 && headings[first - 1]!.block === block) first--
    for (let i = first; i <= last; i++) ends[i] = Math.min(...next.slice(1, headings[i]!.level + 1))
    for (let i = first; i <= last; i++) next[headings[i]!.level] = block
    last = first - 1
  }
  return ends
}
