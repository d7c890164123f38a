import { textDiff } from '../../domain/diff/index.ts'

interface Lines {
  /** Offsets in the two texts. */
  fromA: number
  toA: number
  fromB: number
  toB: number
}

/** So many lines that are the same are shown around a change. */
const around = 3

/** How a text becomes another, line by line, as `diff -u` says it. Empty where they are the same. */
export function unifiedDiff(before: string, after: string, names: { from: string; to: string }): string[] {
  const changed = changedLines(before, after)
  if (changed.length === 0) return []
  const shown = [`--- ${names.from}`, `+++ ${names.to}`]
  for (let at = 0; at < changed.length;) {
    const group = [changed[at++]!]
    while (
      at < changed.length &&
      linesOf(before.slice(group.at(-1)!.toA, changed[at]!.fromA)).length <= 2 * around
    )
      group.push(changed[at++]!)
    shown.push(...hunkOf(before, after, group))
  }
  return shown
}

/** Where they differ, in whole lines. */
function changedLines(before: string, after: string): Lines[] {
  const found: Lines[] = []
  const hunks = textDiff(before, after)
  for (let at = 0; at < hunks.length; at++) {
    const hunk = hunks[at]!
    const least = found.at(-1)?.toA ?? 0
    const fromA = Math.max(before.lastIndexOf('\n', hunk.fromA - 1) + 1, least)
    const lines = { ...hunk, fromA, fromB: hunk.fromB - (hunk.fromA - fromA) }
    for (;;) {
      endLines(lines, before, after)
      const next = hunks[at + 1]
      if (!next || next.fromA >= lines.toA) break
      lines.toA = next.toA
      lines.toB = next.toB
      at++
    }
    found.push(lines)
  }
  return found
}

function endLines(lines: Lines, before: string, after: string): void {
  const isEnd = (text: string, at: number) => at === 0 || text[at - 1] === '\n'
  if (isEnd(before, lines.toA) && isEnd(after, lines.toB)) return
  const next = before.indexOf('\n', lines.toA)
  const rest = (next === -1 ? before.length : next + 1) - lines.toA
  lines.toA += rest
  lines.toB += rest
}

/** A text’s lines; the last says so if nothing ends it. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()!
  return last === '' ? lines : [...lines, last, noEnd]
}
const noEnd = '\\ No newline at end of file'

function hunkOf(before: string, after: string, group: readonly Lines[]): string[] {
  const [first, last] = [group[0]!, group.at(-1)!]
  const head = linesOf(before.slice(0, first.fromA)).slice(-around)
  const tail = linesOf(before.slice(last.toA)).slice(0, around)
  const shown = head.map((line) => ` ${line}`)
  const mark = (sign: string, text: string) =>
    linesOf(text).map((line) => (line === noEnd ? line : `${sign}${line}`))
  for (const [index, { fromA, toA, fromB, toB }] of group.entries()) {
    const next = group[index + 1]
    shown.push(...mark('-', before.slice(fromA, toA)), ...mark('+', after.slice(fromB, toB)))
    if (next) shown.push(...mark(' ', before.slice(toA, next.fromA)))
  }
  shown.push(...tail.map((line) => (line === noEnd ? line : ` ${line}`)))
  const count = (signs: string) => shown.filter((line) => signs.includes(line[0]!)).length
  const start = (text: string, from: number, counted: number) =>
    linesOf(text.slice(0, from)).length - head.length + (counted === 0 ? 0 : 1)
  const [minus, plus] = [count(' -'), count(' +')]
  return [
    `@@ -${start(before, first.fromA, minus)},${minus} +${start(after, first.fromB, plus)},${plus} @@`,
    ...shown,
  ]
}
