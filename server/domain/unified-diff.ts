/** Stretches of a text and what stands there instead; in order, none touching another. */
interface DiffChange {
  start: number
  end: number
  text: string
}
/** Whole lines that are replaced by others: `at` is the number of lines before them. */
interface LineBlock {
  at: number
  removed: string[]
  added: string[]
}

/** So many lines stand around each change. */
const around = 3

/**
 * What changes do to a text, line by line, as a unified diff that `patch` understands; empty where they do nothing.
 * Lines end with a line feed, as there, whatever else stands before it.
 */
export function unifiedDiff(
  before: string,
  changes: readonly DiffChange[],
  names: { before: string; after: string },
): string {
  const lines = linesOf(before)
  const blocks = blocksOf(before, lines, changes)
  if (blocks.length === 0) return ''
  const hunks: LineBlock[][] = []
  for (const block of blocks) {
    const last = hunks.at(-1)?.at(-1)
    if (last && block.at - (last.at + last.removed.length) <= around * 2) hunks.at(-1)!.push(block)
    else hunks.push([block])
  }
  let shift = 0
  const written = hunks.map((hunk) => {
    const text = hunkText(lines, hunk, shift)
    for (const { removed, added } of hunk) shift += added.length - removed.length
    return text
  })
  return `--- ${names.before}\n+++ ${names.after}\n${written.join('')}`
}

/** Each with its line feed, which only the last may lack. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()!
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

/** The changes in whole lines; those that touch one line are one. */
function blocksOf(before: string, lines: readonly string[], changes: readonly DiffChange[]): LineBlock[] {
  const starts = [0]
  for (const line of lines) starts.push(starts.at(-1)! + line.length)
  // Behind a last line that doesn't end, none begins.
  if (lines.at(-1)?.endsWith('\n') === false) starts.pop()
  const offsetOf = (line: number) => starts[line] ?? before.length

  const blocks: LineBlock[] = []
  let line = 0
  const advance = (offset: number) => {
    while (line + 1 < starts.length && starts[line + 1]! <= offset) line++
    return line
  }
  for (let i = 0; i < changes.length;) {
    const at = advance(changes[i]!.start)
    let from = offsetOf(at)
    let text = ''
    let end: number
    do {
      const change = changes[i++]!
      text += before.slice(from, change.start) + change.text
      from = change.end
      end = Math.min(lines.length, advance(change.end) + 1)
    } while (i < changes.length && advance(changes[i]!.start) < end)
    text += before.slice(from, offsetOf(end))
    const block = trimmed({ at, removed: lines.slice(at, end), added: linesOf(text) })
    if (block.removed.length > 0 || block.added.length > 0) blocks.push(block)
  }
  return blocks
}

/** Without the lines that are the same on both sides, at the beginning and at the end. */
function trimmed({ at, removed, added }: LineBlock): LineBlock {
  const shorter = Math.min(removed.length, added.length)
  let same = 0
  while (same < shorter && removed[same] === added[same]) same++
  let behind = 0
  while (behind < shorter - same && removed.at(-1 - behind) === added.at(-1 - behind)) behind++
  return {
    at: at + same,
    removed: removed.slice(same, removed.length - behind),
    added: added.slice(same, added.length - behind),
  }
}

/** @param shift how many lines more there are by then */
function hunkText(lines: readonly string[], blocks: readonly LineBlock[], shift: number): string {
  const first = blocks[0]!
  const last = blocks.at(-1)!
  const from = Math.max(0, first.at - around)
  const to = Math.min(lines.length, last.at + last.removed.length + around)
  const written: string[] = []
  const write = (sign: string, some: readonly string[]) => {
    for (const line of some)
      written.push(line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`)
  }
  let at = from
  let more = 0
  for (const { at: start, removed, added } of blocks) {
    write(' ', lines.slice(at, start))
    write('-', removed)
    write('+', added)
    at = start + removed.length
    more += added.length - removed.length
  }
  write(' ', lines.slice(at, to))
  const place = (start: number, count: number) => `${count === 0 ? start : start + 1},${count}`
  return `@@ -${place(from, to - from)} +${place(from + shift, to - from + more)} @@\n${written.join('')}`
}
