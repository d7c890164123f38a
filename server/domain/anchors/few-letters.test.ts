import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Range } from '../../contract/records/anchors.ts'
import { ChangeSet } from '../change-set.ts'
import { editByChanges, type AnchoredRecord } from '../document-change.ts'
import { PiecedText } from '../pieced-text.ts'
import { anchorAt } from './anchor.ts'

// As many as a night allows: GALLEY_RUNS=20000 npx vitest run server/domain/anchors/few-letters.test.ts
const runs = Number(process.env['GALLEY_RUNS'] ?? 0)

interface Line {
  /** Its own, wherever it stands. */
  id: number
  text: string
  /** Of the paragraph that it is moved with. */
  paragraph: number
}

const few = ['-', '}', 'a', '', '- ', '})', '```', '---', '|', '\t}', 'b', '1.']
/** Of words that are in no other. */
function sentence(seed: number): string {
  const word = (i: number) =>
    Array.from({ length: 3 + ((seed + i) % 5) }, (_, k) =>
      String.fromCharCode(97 + ((seed * 7 + i * 11 + k * (seed % 9) + k * k) % 26)),
    ).join('')
  return `${Array.from({ length: 5 }, (_, i) => word(i)).join(' ')} ${seed}.`
}

const isFew = ({ text }: Line) => few.includes(text)
const textOf = (lines: readonly Line[]) => lines.map(({ text }) => text).join('\n')
function startOf(lines: readonly Line[], index: number): number {
  return lines.slice(0, index).reduce((sum, { text }) => sum + text.length + 1, 0)
}
const indexAt = (lines: readonly Line[], place: number) => {
  let at = 0
  return lines.findIndex(({ text }) => place <= (at += text.length + 1) - 1)
}

/** Said of a line, or to be put in at its beginning or end. */
interface Said {
  line: number
  how: 'on' | 'start' | 'end'
  record: AnchoredRecord
  /** The lines of words around it while it stood there last. */
  around: readonly number[]
  /** The lines beside it. */
  beside: readonly number[]
}

function said(lines: readonly Line[]): Said[] {
  const content = textOf(lines)
  return lines.flatMap((line, index): Said[] => {
    if (!isFew(line)) return []
    const start = startOf(lines, index)
    const end = start + line.text.length
    const ways = line.text.trim() === '' ? (['start'] as const) : (['on', 'start', 'end'] as const)
    return ways.map((how) => {
      const range: Range =
        how === 'on' ? { start, end } : how === 'start' ? { start, end: start } : { start: end, end }
      const put = how === 'on' ? {} : { suggested_text: 'New' }
      const record = { id: `${line.id} ${how}`, kind: 'suggestion' as const, range, ...put }
      return {
        line: line.id,
        how,
        record: { ...record, anchor: anchorAt(content, range.start, range.end) },
        around: around(lines, index),
        beside: beside(lines, index),
      }
    })
  })
}

/** The nearest lines of words before and behind a line. */
function around(lines: readonly Line[], index: number): number[] {
  const isWords = (line: Line) => !isFew(line)
  const [before, behind] = [lines.slice(0, index).findLast(isWords), lines.slice(index + 1).find(isWords)]
  const own = isWords(lines[index]!) ? [lines[index]!.id] : []
  return [before?.id ?? -1, behind?.id ?? -2, ...own]
}

const beside = (lines: readonly Line[], index: number) => [
  lines[index - 1]?.id ?? -1,
  lines[index + 1]?.id ?? -2,
]

type Step =
  | { kind: 'insert' | 'write'; at: number; text: string }
  | { kind: 'delete' | 'edit'; at: number; text: string }
  | { kind: 'move'; at: number; text: string }

let nextId = 1_000
/** The lines after a step, and the step as an editor makes it. */
function done(lines: readonly Line[], { kind, at, text }: Step): { lines: Line[]; changes: ChangeSet } {
  const whole = textOf(lines)
  const index = at % lines.length
  const line = lines[index]!
  const start = startOf(lines, index)
  const change = (...of: { from: number; to?: number; insert?: string }[]) =>
    ChangeSet.of(of, whole.length, '\n')
  if (kind === 'insert' || kind === 'write') {
    const own = kind === 'insert' ? text : sentence(nextId)
    const made = { id: nextId++, text: own, paragraph: line.paragraph }
    return { lines: lines.toSpliced(index, 0, made), changes: change({ from: start, insert: `${own}\n` }) }
  }
  if (kind === 'delete') {
    if (lines.length < 4) return { lines: [...lines], changes: change() }
    const isLast = index === lines.length - 1
    const from = isLast ? start - 1 : start
    const to = isLast ? whole.length : start + line.text.length + 1
    return { lines: lines.toSpliced(index, 1), changes: change({ from, to }) }
  }
  if (kind === 'edit') {
    if (isFew(line)) return { lines: [...lines], changes: change() }
    const now = { ...line, text: `${line.text} ${text}again` }
    const end = start + line.text.length
    return { lines: lines.with(index, now), changes: change({ from: end, insert: ` ${text}again` }) }
  }
  const first = lines.findIndex(({ paragraph }) => paragraph === line.paragraph)
  let last = first
  while (lines[last + 1]?.paragraph === line.paragraph) last++
  const rest = lines.toSpliced(first, last - first + 1)
  if (rest.length === 0 || last === lines.length - 1 || first === 0)
    return { lines: [...lines], changes: change() }
  const moved = lines.slice(first, last + 1)
  const from = startOf(lines, first)
  const to = startOf(lines, last + 1)
  return {
    lines: [...moved, ...rest],
    changes: change({ from: 0, insert: whole.slice(from, to) }, { from, to }),
  }
}

const paragraphs = fc.array(
  fc.tuple(fc.nat(200), fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 5 })),
  { minLength: 2, maxLength: 6 },
)
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('insert', 'write', 'delete', 'edit', 'move'),
  at: fc.nat(100),
  text: fc.constantFrom(...few),
})

it('what is said of lines of few letters stays on its own, or stands nowhere, as editors change the text', () => {
  fc.assert(
    fc.property(paragraphs, fc.array(step, { minLength: 1, maxLength: 6 }), (texts, steps) => {
      let id = 0
      let lines = texts.flatMap(([seed, own], paragraph): Line[] =>
        [sentence(paragraph * 200 + seed), ...own].map((text) => ({ id: id++, text, paragraph })),
      )
      let all = said(lines)
      for (const one of steps) {
        const before = textOf(lines)
        const { lines: now, changes } = done(lines, one)
        const after = textOf(now)
        const anchors = all.map(({ record }) => record)
        const { moved } = editByChanges(PiecedText.of(before), changes, anchors)
        const placeOf = new Map(moved.map(({ id: of, range }) => [of, range]))
        lines = now
        all = all.map((each) => {
          const { record } = each
          const range = placeOf.has(record.id) ? placeOf.get(record.id)! : record.range
          const own = lines.findIndex((line) => line.id === each.line)
          // Gone, it may be any that is alike there: nobody can tell which it was.
          const near = own < 0 ? each.around : around(lines, own)
          if (range) {
            const there = [...new Set([indexAt(lines, range.start), indexAt(lines, range.end)])]
            const label = JSON.stringify([before, one, after, record.id, range])
            expect(there, label).toHaveLength(1)
            const [found] = there as [number]
            const words = around(lines, found)
            const isOwn = found === own || words.some((line) => near.includes(line))
            // What is to be put in may as well stay beside the line that was on the other side.
            const isBeside =
              each.how !== 'on' && beside(lines, found).some((line) => each.beside.includes(line))
            expect(isOwn || isBeside, label).toBe(true)
            return { ...each, record: { ...record, range }, around: near, beside: beside(lines, found) }
          }
          return { ...each, record: { ...record, range }, around: near }
        })
      }
    }),
    runs === 0 ? { numRuns: 100, seed: 1 } : { numRuns: runs },
  )
})
