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
    const closings =
      closedBy(open, run, text) ??
      tokens(text).map((token) => ({ token, closes: topClosed(open, run, token) }))
    let at = 0
    for (const { token, closes } of closings) {
      const found = { run, from: at, to: (at += token.length), text: token }
      marks.push(found)
      if (closes && open.includes(closes)) {
        open.splice(open.indexOf(closes), 1)
        pairs.push([closes, found])
      } else open.push(found)
      if (open.length > mostOpen) open.shift()
    }
  }
  inOrder(pairs)
  return { marks, pairs: pairs.sort(([a], [b]) => a.run - b.run || a.from - b.from) }
}

const areMarks = (text: string) =>
  text !== '' && text.length <= longest && tokens(text).join('').length === text.length

function tokens(text: string): string[] {
  const all: string[] = []
  mark.lastIndex = 0
  for (let found = mark.exec(text); found; found = mark.exec(text)) all.push(found[0])
  return all
}

const topClosed = (open: readonly FoundMark[], run: number, text: string) =>
  open.findLast((one) => one.run < run && arePair(one.text, text))

/**
 * What a text closes where all of it does: the last that was opened first, of several that were opened in one in any
 * order, since either mark of `***` may be the outer one. Null where it doesn’t.
 */
function closedBy(open: readonly FoundMark[], run: number, text: string) {
  const rest = open.filter((one) => one.run < run)
  const closings: { token: string; closes: FoundMark }[] = []
  for (let at = 0; at < text.length;) {
    const tokenOf = (one: FoundMark) => {
      const length = one.text === '[' ? text.indexOf(')', at) + 1 - at : one.text.length
      return text.slice(at, at + length)
    }
    const together = rest.filter(({ run: other }) => other === rest.at(-1)!.run)
    const closes = together
      .filter((one) => arePair(one.text, tokenOf(one)))
      .sort((a, b) => b.text.length - a.text.length)[0]
    if (!closes) return null
    const token = tokenOf(closes)
    closings.push({ token, closes })
    rest.splice(rest.indexOf(closes), 1)
    at += token.length
  }
  return closings
}

/** Signs that were put in at one place are those of the pair that ends last, first. */
function inOrder(pairs: readonly [FoundMark, FoundMark][]): void {
  const groups = Map.groupBy(pairs, ([one]) => `${one.run} ${one.text[0]}`)
  for (const group of groups.values()) {
    const places = group.map(([one]) => one).sort((a, b) => a.from - b.from)
    const isOne = places.every((one, i) => i === 0 || one.from === places[i - 1]!.to)
    if (!isOne || group.length < 2) continue
    let at = places[0]!.from
    const outerFirst = group.toSorted(([, a], [, b]) => b.run - a.run || b.from - a.from)
    for (const [one] of outerFirst) {
      one.from = at
      one.to = at += one.text.length
    }
  }
}
