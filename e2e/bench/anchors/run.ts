/**
 * `npm run bench:anchors`: how often comments and suggestions stay on their words. 300 spans in 200 KB of real prose, and
 * as many places where something is to be put in, go through up to 2,500 edits: as whole texts that are saved after each
 * edit, in batches or once at the end, or through the log, as the change sets that a live editor sends. Then each is
 * judged by where its characters really are. The rule under test sees nothing but texts or change sets. Prints tables;
 * asserts nothing.
 *
 * Of comments `right`, `part`, `wrong` and `detached` are parts of those whose words are left, `revived` of those whose
 * words are gone (`Verdict` in `spans.ts` says what each means). Of suggestions the first ones are parts of those whose
 * words are left as they were, and right is where they would be applied; `revived` of the others, where they would be
 * applied to words that aren't theirs.
 * A copy of a passage that came in the same save is, to whoever compares two texts, as good as the passage itself if it
 * holds as much of the words. What stands on one is right, and `(on copies)` says how much that is: added to `wrong`
 * it is what a judge makes of it who saw the copying.
 */
import { parseArgs } from 'node:util'
import type { Range } from '../../../server/contract/records/anchors.ts'
import { PiecedText } from '../../../server/domain/pieced-text.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { changeDocument, type AnchoredRecord } from '../../../server/domain/document-change.ts'
import { RandomEditor, type mixes } from './edits.ts'
import { Manuscript } from './manuscript.ts'
import { realProse } from './prose.ts'
import { Random } from './random.ts'
import { choosePlaces, chooseSpans, Judge, type Verdict } from './spans.ts'

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '50,400,2500' },
    seeds: { type: 'string', default: '1,2' },
    spans: { type: 'string', default: '300' },
    batch: { type: 'string', default: '25' },
    mix: { type: 'string', default: 'classic,shuffled,rich' },
    save: { type: 'string', default: 'log,each,batches,once' },
    /** Prints what went wrong, to learn from. */
    explain: { type: 'boolean', default: false },
  },
})
const numbers = (list: string) => list.split(',').map(Number)
const print = (line = '') => process.stdout.write(`${line}\n`)
const text = realProse(new URL('../../../node_modules/', import.meta.url))

type Tally = Record<Verdict | 'living' | 'gone' | 'copies', number>
const kinds = ['comments', 'suggestions', 'insertions'] as const
type Tallies = Record<(typeof kinds)[number], Tally> & { milliseconds: number; saves: number }

const emptyTally = (): Tally => ({
  right: 0,
  part: 0,
  wrong: 0,
  detached: 0,
  revived: 0,
  living: 0,
  gone: 0,
  copies: 0,
})

/** The marks of one text through so many edits, saved after every `batch` of them. */
function trial(mix: keyof typeof mixes, edits: number, save: string, seed: number): Tallies {
  const batch = { once: edits, batches: Number(values.batch) }[save] ?? 1
  const random = new Random(seed)
  const manuscript = new Manuscript(text, save === 'log')
  const spans = chooseSpans(text, Number(values.spans), random)
  const editor = new RandomEditor(manuscript, random, mix)
  const places = choosePlaces(text, spans.length, new Random(seed + 1000))
  const recordOf = (start: number, end: number, id: string): AnchoredRecord => ({
    id,
    kind: start < end ? 'comment' : 'suggestion',
    anchor: anchorAt(text, start, end),
    range: { start, end },
  })
  const records = [
    ...spans.map(({ start, end }, i) => recordOf(start, end, String(i))),
    ...places.map(({ at }, i) => recordOf(at, at, String(spans.length + i))),
  ]
  const onCopies = new Set<number>()
  const placesOnCopies = new Set<number>()
  let [content, milliseconds, saves] = [text, 0, 0]
  for (let done = 0; done < edits; saves++) {
    const newest = manuscript.newest
    for (const next = Math.min(edits, done + batch); done < next; done++) editor.edit()
    const how = save === 'log' ? { changes: manuscript.takeChanges() } : { content: manuscript.text }
    const began = performance.now()
    const { moved } = changeDocument(
      { text: PiecedText.of(content), title: '', revision: 1, updatedAt: 0, anchors: records, session: null },
      { ...how, kind: 'edit', informed: true, at: 0 },
    )
    milliseconds += performance.now() - began
    for (const { id, range } of moved) records[Number(id)]!.range = range
    content = manuscript.text
    if (save === 'log' || !manuscript.copiedSince(newest)) continue
    const judge = new Judge(manuscript, newest)
    for (const [i, span] of spans.entries()) {
      const adopted = judge.adopted(span, records[i]!.range)
      if (!adopted) continue
      if (judge.lives(span)) onCopies.add(i)
      spans[i] = adopted
    }
    for (const [i, place] of places.entries()) {
      const adopted = judge.adoptedPlace(place, records[spans.length + i]!.range)
      if (!adopted) continue
      if (judge.isThere(place)) placesOnCopies.add(i)
      places[i] = adopted
    }
  }
  const judge = new Judge(manuscript, manuscript.newest)
  const name = `${mix}, ${save}, seed ${seed},`
  const tallies: Tallies = {
    comments: emptyTally(),
    suggestions: emptyTally(),
    insertions: emptyTally(),
    milliseconds,
    saves,
  }
  const count = (tally: Tally, verdict: Verdict, isLeft: boolean, isOnCopy = false) => {
    tally[isLeft ? 'living' : 'gone']++
    if (isLeft || verdict === 'revived') tally[verdict]++
    if (isOnCopy) tally.copies++
  }
  spans.forEach((span, i) => {
    const { anchor, range } = records[i]!
    const verdict = judge.judge(span, range)
    count(tallies.comments, verdict, judge.lives(span), onCopies.has(i))
    const isWhole = judge.isWhole(span, anchor!.exact)
    const ofSuggestion = judge.judgeSuggestion(span, range, anchor!.exact)
    count(tallies.suggestions, ofSuggestion, isWhole, isWhole && onCopies.has(i))
    const told = { now: manuscript.text, record: records[i]!, truth: judge.stretch(span) }
    if (verdict !== 'right') explain(`${name} comment ${i}: ${verdict}`, told)
    else if (ofSuggestion !== 'right') explain(`${name} suggestion ${i}: ${ofSuggestion}`, told)
  })
  places.forEach((place, i) => {
    const record = records[spans.length + i]!
    const verdict = judge.judgeInsertion(place, record.range)
    count(tallies.insertions, verdict, judge.isThere(place), placesOnCopies.has(i))
    if (verdict === 'right') return
    const [before, after] = judge.besides(place)
    const told = { now: manuscript.text, record, truth: before }
    explain(
      `${name} insertion ${i}: ${verdict}`,
      before?.start === after?.start ? told : { ...told, also: after },
    )
  })
  return tallies
}

/** What went wrong: where it stood, where it stands, and where it should. */
function explain(
  what: string,
  {
    now,
    record: { anchor, range },
    truth,
    also = null,
  }: { now: string; record: AnchoredRecord; truth: Range | null; also?: Range | null },
): void {
  if (!values.explain) return
  const shown = (of: string, place: Range | null) => {
    if (!place) return null
    const { start, end } = place
    const parts = [of.slice(Math.max(0, start - 60), start), of.slice(start, end), of.slice(end, end + 60)]
    return `${start} ${parts.map((part) => JSON.stringify(part)).join(' · ')}`
  }
  const { start, exact } = anchor!
  print(what)
  print(`  stood  ${shown(text, { start, end: start + exact.length })}`)
  print(`  stands ${shown(now, range)}`)
  print(`  truth  ${shown(now, truth)}`)
  if (also) print(`  or     ${shown(now, also)}`)
}

const percent = (part: number, of: number) => (of ? ((100 * part) / of).toFixed(2) : '–').padStart(9)

print(`${values.spans} marks of each kind in ${Math.round(text.length / 1000)} KB of prose; per cent`)
for (const mix of values.mix.split(',') as (keyof typeof mixes)[]) {
  for (const save of values.save.split(',')) {
    print(
      `${`${mix}, ${save === 'log' ? 'through the log' : `saved ${save}`}`.padEnd(30)}    right (on copies)     part    wrong detached |  revived of gone   | ms a save`,
    )
    for (const edits of numbers(values.edits)) {
      const trials = numbers(values.seeds).map((seed) => trial(mix, edits, save, seed))
      const cost =
        sumOf(trials.map(({ milliseconds }) => milliseconds)) / sumOf(trials.map(({ saves }) => saves))
      for (const kind of kinds) {
        const sum = emptyTally()
        for (const key of Object.keys(sum) as (keyof Tally)[])
          sum[key] = sumOf(trials.map((one) => one[kind][key]))
        report(
          `${String(edits).padStart(6)} edits, ${kind}`,
          sum,
          kind === 'comments' ? cost.toFixed(1).padStart(7) : '',
        )
      }
    }
    print()
  }
}

function sumOf(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one, 0)
}

function report(name: string, tally: Tally, cost: string): void {
  const { right, copies, part, wrong, detached, revived, living, gone } = tally
  print(
    `${name.padEnd(30)}${percent(right, living)} ${`(${percent(copies, living).trim()})`.padStart(11)}` +
      `${[part, wrong, detached].map((one) => percent(one, living)).join('')} |` +
      `${percent(revived, gone)} (${String(revived).padStart(3)}/${String(gone).padStart(4)}) |${cost}`,
  )
}
