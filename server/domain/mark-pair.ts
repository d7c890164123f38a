/** Whether these are the marks before and behind some words. */
export const arePair = (before: string, behind: string) =>
  /^[*_~`]+$/.test(before)
    ? [...before].reverse().join('') === behind
    : before === '[' && /^\]\([^()\s]*\)$/.test(behind)

/** Addresses may be long. */
const longest = 4_000
const mostWithin = 20
const mark = /\[|\]\([^()\s]*\)|\*\*?|__?|~~?|`+/y

/** Each of the marks that stand side by side and are all of a text; the text itself where it is anything else. */
export function marksIn(text: string): string[] {
  const marks: string[] = []
  mark.lastIndex = 0
  while (mark.lastIndex < text.length && text.length <= longest) {
    const found = mark.exec(text)
    if (!found) return [text]
    marks.push(found[0])
  }
  return marks.length > 0 ? marks : [text]
}

/** Which of what was put in, in the order of their places, are pairs of marks. */
export function pairUp<One extends { text: string }>(put: readonly One[]): [open: One, close: One][] {
  const rest = put.filter(({ text }) => text.length <= longest)
  const pairs: [One, One][] = []
  for (let i = 0; i < rest.length; i++) {
    const open = rest[i]!
    const close = rest.slice(i + 1, i + 1 + mostWithin).find(({ text }) => arePair(open.text, text))
    if (!close) continue
    rest.splice(rest.indexOf(close), 1)
    pairs.push([open, close])
  }
  return pairs
}
