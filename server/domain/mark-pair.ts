/** Whether these are the marks before and behind some words. */
export const arePair = (before: string, behind: string) =>
  /^[*_~`]+$/.test(before)
    ? [...before].reverse().join('') === behind
    : before === '[' && /^\]\([^()\s]*\)$/.test(behind)

/** Addresses may be long. */
const longest = 4_000
const mostOpen = 20
const mark = /\[|\]\([^()\s]*\)|\*\*?|__?|~~?|`+/y

/** A mark in one of several texts that were put in, in the order of their places. */
export interface FoundMark {
  /** Which of them it is in. */
  run: number
  from: number
  to: number
  text: string
}

/** The marks that texts consist of, in order, and which of them are pairs; a text with anything else in it has none. */
export function marksAmong(runs: readonly string[]): {
  marks: FoundMark[]
  pairs: [open: FoundMark, close: FoundMark][]
} {
  const marks: FoundMark[] = []
  const pairs: [FoundMark, FoundMark][] = []
  const open: FoundMark[] = []
  for (const [run, text] of runs.entries()) {
    if (!areMarks(text)) continue
    for (let from = 0; from < text.length;) {
      const closed = closedBy(open, run, text.slice(from))
      const found: FoundMark = closed
        ? { run, from, to: from + closingLength(closed, text.slice(from)), text: '' }
        : { run, from, to: from + markAt(text, from).length, text: '' }
      found.text = text.slice(found.from, found.to)
      from = found.to
      marks.push(found)
      if (closed) {
        open.splice(open.indexOf(closed), 1)
        pairs.push([closed, found])
      } else open.push(found)
      if (open.length > mostOpen) open.shift()
    }
  }
  inOrder(pairs)
  return { marks, pairs: pairs.sort(([a], [b]) => a.run - b.run || a.from - b.from) }
}

function areMarks(text: string): boolean {
  if (text === '' || text.length > longest) return false
  for (let at = 0; at < text.length;) {
    const found = markAt(text, at)
    if (found === '') return false
    at += found.length
  }
  return true
}

function markAt(text: string, at: number): string {
  mark.lastIndex = at
  return mark.exec(text)?.[0] ?? ''
}

const closingLength = ({ text }: FoundMark, rest: string) =>
  text === '[' ? rest.indexOf(')') + 1 : text.length

/** What a text closes as it begins: the last that was opened, or what was opened in one with that, since `***` may be either mark first. */
function closedBy(open: readonly FoundMark[], run: number, rest: string): FoundMark | undefined {
  const closes = (one: FoundMark) => arePair(one.text, rest.slice(0, closingLength(one, rest)))
  const last = open.findLast((one) => one.run < run)
  const together = open.filter((one) => one.run === last?.run && closes(one))
  const inner = together.sort((a, b) => b.text.length - a.text.length)[0]
  return inner ?? open.findLast((one) => one.run < run && closes(one))
}

/** Signs that were put in at one place are those of the pair that ends last, first. */
function inOrder(pairs: readonly [FoundMark, FoundMark][]): void {
  const groups = Map.groupBy(pairs, ([one]) => one.run)
  for (const group of groups.values()) {
    const places = group.map(([one]) => one).sort((a, b) => a.from - b.from)
    const isOne = places.every(
      (one, i) => one.text[0] === places[0]!.text[0] && (i === 0 || one.from === places[i - 1]!.to),
    )
    if (!isOne || group.length < 2) continue
    let at = places[0]!.from
    const outerFirst = group.toSorted(([, a], [, b]) => b.run - a.run || b.from - a.from)
    for (const [one] of outerFirst) {
      one.from = at
      one.to = at += one.text.length
    }
  }
}
