/**
 * `npm run bench:anchors`: how often comments stay on their words. 300 spans in 200 KB of real prose go through up to
 * 2,500 edits, saved each, in batches, and all at once; then each is judged by where its characters really are. The
 * rule under test sees nothing but texts, as when a document is saved. Prints a table; asserts nothing.
 */
import { parseArgs } from 'node:util'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { changeDocument, type AnchoredRecord } from '../../../server/domain/document-change.ts'
import { RandomEditor, type mixes } from './edits.ts'
import { Manuscript } from './manuscript.ts'
import { realProse } from './prose.ts'
import { Random } from './random.ts'
import { chooseSpans, Judge, type Verdict } from './spans.ts'

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '100,500,2500' },
    seeds: { type: 'string', default: '1,2' },
    spans: { type: 'string', default: '300' },
    batch: { type: 'string', default: '25' },
    mix: { type: 'string', default: 'classic,rich' },
    save: { type: 'string', default: 'each,batches,once' },
    /** Prints what went wrong, to learn from. */
    explain: { type: 'boolean', default: false },
  },
})
const numbers = (list: string) => list.split(',').map(Number)
const print = (line = '') => process.stdout.write(`${line}\n`)
const text = realProse(new URL('../../../node_modules/', import.meta.url))

type Tally = Record<Verdict, number> & {
  copies: number
  living: number
  dead: number
  milliseconds: number
  saves: number
}

const emptyTally = (): Tally => ({
  right: 0,
  wrong: 0,
  detached: 0,
  revived: 0,
  copies: 0,
  living: 0,
  dead: 0,
  milliseconds: 0,
  saves: 0,
})

/** The marks of one text through so many edits, saved after every `batch` of them. */
function trial(mix: keyof typeof mixes, edits: number, batch: number, seed: number): Tally {
  const random = new Random(seed)
  const manuscript = new Manuscript(text)
  let spans = chooseSpans(text, Number(values.spans), random)
  const anchors = spans.map(({ start, end }, i): AnchoredRecord => ({
    id: String(i),
    kind: 'comment',
    anchor: anchorAt(text, start, end),
    range: { start, end },
  }))
  const editor = new RandomEditor(manuscript, random, mix)
  const tally = emptyTally()
  let content = text
  // What is wrong stays wrong, and is counted once, at the end.
  for (let done = 0; done < edits;) {
    const newest = manuscript.newest
    const kinds = Array.from({ length: Math.min(batch, edits - done) }, () => editor.edit())
    done += kinds.length
    const began = performance.now()
    const { moved } = changeDocument(
      { content, title: '', revision: 1, updatedAt: 0, anchors, session: null },
      {
        content: manuscript.text,
        kind: 'edit',
        informed: true,
        at: 0,
      },
    )
    tally.milliseconds += performance.now() - began
    tally.saves++
    for (const { id, range } of moved) anchors[Number(id)]!.range = range
    content = manuscript.text
    if (manuscript.copiedSince(newest)) {
      const judge = new Judge(manuscript, newest)
      spans = spans.map((span, i) => judge.adopted(span, anchors[i]!.range))
    }
    if (done === edits) {
      const judge = new Judge(manuscript, newest)
      tally.copies = spans.filter((span, i) => {
        const { range } = anchors[i]!
        return range && judge.judge(span, range) === 'wrong' && judge.isOnCopy(span, range)
      }).length
    }
    if (values.explain && done === edits)
      explain(manuscript, spans, anchors, newest, kinds.join(' ').slice(0, 60))
  }
  const judge = new Judge(manuscript, manuscript.newest)
  spans.forEach((span, i) => {
    tally[judge.lives(span) ? 'living' : 'dead']++
    tally[judge.judge(span, anchors[i]!.range)]++
  })
  return tally
}

const told = new WeakSet<AnchoredRecord>()

function explain(
  manuscript: Manuscript,
  spans: ReturnType<typeof chooseSpans>,
  anchors: readonly AnchoredRecord[],
  newest: number,
  kinds: string,
): void {
  const judge = new Judge(manuscript, newest)
  spans.forEach((span, i) => {
    const record = anchors[i]!
    const verdict = judge.judge(span, record.range)
    if (verdict === 'right' || told.has(record)) return
    told.add(record)
    const shown = (range: { start: number; end: number } | null) =>
      range &&
      `${JSON.stringify(manuscript.text.slice(range.start - 30, range.start))} ‹${JSON.stringify(manuscript.text.slice(range.start, range.end))}› ${JSON.stringify(manuscript.text.slice(range.end, range.end + 30))}`
    print(`${verdict} after ${kinds}`)
    print(`  quote ${JSON.stringify(record.anchor!.exact)}`)
    print(`  stands ${shown(record.range)}`)
    print(`  truth  ${shown(judge.stretch(span))}`)
  })
}

const percent = (part: number, of: number) => (of ? ((100 * part) / of).toFixed(2) : '–').padStart(9)

print(
  `${values.spans} spans in ${Math.round(text.length / 1000)} KB of prose; per cent of those whose words are left`,
)
print(`${''.padEnd(30)}    right    wrong (on copies) detached | revived of gone | ms a save`)
for (const mix of values.mix.split(',') as (keyof typeof mixes)[]) {
  for (const save of values.save.split(',')) {
    const sum = emptyTally()
    for (const edits of numbers(values.edits)) {
      const batch = { each: 1, batches: Number(values.batch), once: edits }[save]!
      const tallies = numbers(values.seeds).map((seed) => trial(mix, edits, batch, seed))
      const of = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
      for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += of(key)
      report(
        `${mix}, saved ${save}, ${edits}`,
        Object.fromEntries(Object.keys(sum).map((key) => [key, of(key as keyof Tally)])) as Tally,
      )
    }
    report(`${mix}, saved ${save}`, sum)
    print()
  }
}

function report(
  name: string,
  { right, wrong, copies, detached, revived, living, dead, milliseconds, saves }: Tally,
): void {
  const rightlyGone = dead - revived
  print(
    `${name.padEnd(30)}${percent(right - rightlyGone, living)}${percent(wrong, living)} ${`(${percent(copies, living).trim()})`.padStart(11)}${percent(detached, living)} |` +
      `${percent(revived, dead)} (${String(revived).padStart(3)}/${String(dead).padStart(4)}) |${(milliseconds / saves).toFixed(1).padStart(7)}`,
  )
}
