import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { RenderedPoint } from '../contract/records/rendering.ts'
import { createRenderer } from './renderer.ts'
import { alignReadings, dialects, type AlignedReadings } from './testing/aligned-readings.ts'
import { installedReadmes } from './testing/readmes.ts'

// What a reader selects is compared with what another parser, which knows the place of every token, says was written
// for it: the source of the first and of the last character selected, and all between. What is drawn as a whole (a
// formula, an image, an entity) is written as a whole.

/** `GALLEY_RUNS` is how many selections are made in each README: then in all of them, without it in some. */
const runs = Number(process.env['GALLEY_RUNS'] ?? 0)
const selectionsPerText = runs || 80
const wantedReadmes = runs ? Infinity : 160
const fewReadmes = 300

const renderer = createRenderer({ timeoutMs: 30_000 })
afterAll(() => renderer.close())

/** How selections came out; each count is of selections. */
interface Tally {
  exact: number
  /** Told that there is no one range, where there is one. */
  refused: string[]
  /** Another range than what was selected. */
  wrong: string[]
  /** Told that there is no one range, where there is none: from the text to a note that is written elsewhere. */
  rightlyRefused: number
  /** The source of what was selected shows where it was selected, or elsewhere. */
  back: number
  wrongBack: string[]
  /** The two parsers disagree about what stands at an end, for which reason. */
  incomparable: Map<string, number>
}

const newTally = (): Tally => ({
  exact: 0,
  refused: [],
  wrong: [],
  rightlyRefused: 0,
  back: 0,
  wrongBack: [],
  incomparable: new Map(),
})

/** The same numbers in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** The first and last character of a selection: within one node, over a few, or over much; often where nodes end. */
function choose({ read }: AlignedReadings, below: (limit: number) => number): [first: number, last: number] {
  const nodeEnds = (at: number, step: 1 | -1) => {
    while (read[at + step]?.node === read[at]!.node) at += step
    return at
  }
  let first = below(read.length)
  const reach = [1, 12, 120, 1_500, read.length][below(5)]!
  let last = Math.min(read.length - 1, first + below(reach))
  if (below(5) === 0) last = Math.min(last, nodeEnds(first, 1))
  if (below(3) === 0) first = nodeEnds(first, -1)
  if (below(3) === 0) last = nodeEnds(last, 1)
  return [first, last]
}

/** Whether what shows from one character to another is what is written from one to the other, and nothing else. */
function stretches({ read }: AlignedReadings): (first: number, last: number) => boolean {
  const order = read.map((_, i) => i).sort((a, b) => read[a]!.start - read[b]!.start || a - b)
  const rank = new Int32Array(read.length)
  for (const [i, at] of order.entries()) rank[at] = i
  const breaks = new Int32Array(read.length)
  for (let i = 1; i < read.length; i++) breaks[i] = breaks[i - 1]! + (rank[i] === rank[i - 1]! + 1 ? 0 : 1)
  return (first, last) => breaks[first] === breaks[last]
}

/** The places of a selection on the page. */
interface Selection {
  first: number
  last: number
  from: RenderedPoint
  to: RenderedPoint
}

/** Asks for the source of selections in a text, and adds up what comes out. */
async function compare(
  name: string,
  source: string,
  readings: AlignedReadings,
  selections: Selection[],
  tally: Tally,
) {
  const { read } = readings
  const isOneStretch = stretches(readings)
  await Promise.all(
    selections.map(async ({ first, last, from, to }) => {
      const { found } = await renderer.sourceRange(source, from, to)
      const told = () => {
        const wanted = JSON.stringify(source.slice(read[first]!.start, read[last]!.end).slice(0, 300))
        const got = found && JSON.stringify(source.slice(found.start, found.end).slice(0, 300))
        return `${name}: ${wanted} at ${read[first]!.start} is ${got}`
      }
      if (!isOneStretch(first, last)) {
        if (found) tally.wrong.push(told())
        else tally.rightlyRefused++
      } else if (!found) tally.refused.push(told())
      else if (found.start === read[first]!.start && found.end === read[last]!.end) tally.exact++
      else tally.wrong.push(told())
    }),
  )
  await compareBack(name, source, readings, selections, tally)
}

/** The other way: where the source that was selected shows. */
async function compareBack(
  name: string,
  source: string,
  readings: AlignedReadings,
  selections: Selection[],
  tally: Tally,
) {
  const { read, shown, places } = readings
  // What is written as a whole shows as a whole: of an entity also the second of two characters.
  const whole = (at: number, step: 1 | -1) => {
    while (read[at + step]?.start === read[at]!.start && read[at + step]!.end === read[at]!.end) at += step
    return shown[places[at]!]
  }
  const isOneStretch = stretches(readings)
  const asked = selections.filter(({ first, last }) => isOneStretch(first, last))
  const ranges = asked.map(({ first, last }) => ({ start: read[first]!.start, end: read[last]!.end }))
  const { found } = await renderer.renderedRanges(source, ranges)
  for (const [i, { first, last }] of asked.entries()) {
    const wanted = { from: whole(first, -1)?.from, to: whole(last, 1)?.to }
    const at = found?.[i]
    const got = at && { from: at.from, to: at.to }
    if (isDeepStrictEqual(got, wanted)) tally.back++
    else {
      const words = JSON.stringify(source.slice(ranges[i]!.start, ranges[i]!.end).slice(0, 300))
      tally.wrongBack.push(`${name}: ${words} shows at ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`)
    }
  }
}

/** Selects again and again in a text. */
async function selectIn(name: string, source: string, seed: number, count: number, tally: Tally) {
  const { html, limited } = await renderer.render(source)
  expect(limited, name).toBeNull()
  const readings = alignReadings(source, html)
  const { read, shown, places, differences } = readings
  const below = numbersFrom(seed)
  const selections: Selection[] = []
  for (let n = 0; n < count && read.length > 0; n++) {
    const [first, last] = choose(readings, below)
    const [start, end] = [shown[places[first]!], shown[places[last]!]]
    if (start && end) {
      // Of what is drawn as a whole a part may be selected, and stands for all of it.
      const [one, other] = [start, end].map(({ from, to }) => from.char + below(to.char - from.char))
      const [from, to] = start === end ? [Math.min(one!, other!), Math.max(one!, other!)] : [one!, other!]
      selections.push({
        ...{ first, last },
        from: { block: start.from.block, char: from },
        to: { block: end.from.block, char: to + 1 },
      })
    } else {
      const reasons = new Set(differences.map(({ reason }) => dialects[reason]))
      for (const reason of reasons)
        tally.incomparable.set(reason, (tally.incomparable.get(reason) ?? 0) + 1 / reasons.size)
    }
  }
  await compare(name, source, readings, selections, tally)
}

/** Texts are worked on side by side, as many as there are threads. */
async function selectInAll(texts: { path: string; source: string }[], count: number): Promise<Tally> {
  const tally = newTally()
  const waiting = texts.entries()
  const work = async () => {
    for (const [seed, { path, source }] of waiting) await selectIn(path, source, seed, count, tally)
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  return tally
}

function expectExact(tally: Tally, atLeast: number) {
  const comparable = tally.exact + tally.refused.length + tally.wrong.length
  const incomparable = [...tally.incomparable].map(([reason, count]) => `${Math.round(count)}: ${reason}`)
  console.info(
    `${comparable} selections: ${tally.exact} exact, ${tally.refused.length} refused, ${tally.wrong.length} wrong; ` +
      `${tally.rightlyRefused} of what is no one stretch, refused; not comparable ${incomparable.join('; ') || 'none'}. ` +
      `The other way ${tally.back} exact, ${tally.wrongBack.length} not`,
  )
  expect(tally.wrong).toEqual([])
  expect(tally.wrongBack).toEqual([])
  expect(comparable).toBeGreaterThan(atLeast)
  expect(tally.refused.length, tally.refused.slice(0, 5).join('\n')).toBeLessThanOrEqual(comparable / 1_000)
  // What the parsers disagree about stays the exception.
  const left = [...tally.incomparable.values()].reduce((sum, count) => sum + count, 0)
  expect(left).toBeLessThan(comparable / 200)
}

describe('what is selected in the READMEs of all that is installed', () => {
  const all = installedReadmes()
  const step = Math.max(1, all.length / wantedReadmes)
  const chosen = all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))

  it.skipIf(all.length < fewReadmes)(
    `is exactly what another parser says was written, in ${chosen.length} of ${all.length}`,
    async () => {
      expectExact(await selectInAll(chosen, selectionsPerText), (chosen.length * selectionsPerText) / 2)
    },
    600_000,
  )
})

/** Every selection in a text that both parsers read alike. */
async function selectAllOf(name: string, source: string): Promise<Tally> {
  const tally = newTally()
  const readings = alignReadings(source, (await renderer.render(source)).html)
  expect(readings.differences, source).toEqual([])
  const { shown, places } = readings
  const selections = readings.read.flatMap((_, first) =>
    readings.read.slice(first).map((_, more) => {
      const last = first + more
      return { first, last, from: shown[places[first]!]!.from, to: shown[places[last]!]!.to }
    }),
  )
  await compare(name, source, readings, selections, tally)
  return tally
}

describe('every selection is exactly what another parser says was written', () => {
  const table = '| a *b* | `c` |\n|:--|--:|\n| d \\| e | [f](/g) |\n| `h \\| i` | **j** &amp; |\n'
  const note = 'One[^n] *two*.\n\n[^n]: Three `four`\n    five.\n\n    - six\n'
  const cases: Record<string, string> = {
    emphasis: 'a *b* **c** ***d*** _e_ __f__ ~~g~~ *h **i _j_ k** l* m*n*o **p*q*r**\n',
    links: '[a](/b) [*c* d](<e f> "g") [h \\] i](/j) [\\]](/k) [l][m] [m]\n\n[m]: /t "u"\n',
    addresses: 'a <https://n.example/o> https://p.example www.q.example *r@s.example*\n',
    images: 'a ![b](/c) [![d](https://e.example/f)](/g) ![*h*][i] <img src="/j" alt="k"> l\n\n[i]: /m\n',
    code: 'a `b` `` c ` d `` ` e ` `f\ng` `\\`\n\n```js\nconst h = "&amp;" // \\*\n\n  i\n```\n\n~~~\n\tj\n~~~\n\n    k\n      l\n',
    lists:
      '- a\n- b\n  - c *d*\n    e\n\n    f\n1. g\n2) h\n\n   i\n-\tj\n\n\tk\n\n- [ ] l\n- [x] *m*\n\n* n\no\n',
    quotes: '> a *b*\n> c\nd\n>\n> > e\n> f\n>\n>\n>\n>\n>\n> g\n\n>> h\n>> i\nj\n',
    tables: table,
    'tables without borders': 'a | b\n--|--\n\\| | *c*\nd\n',
    footnotes: note,
    'footnotes that refer to others': 'a[^b]\n\n[^b]: c[^d]\n\n[^d]: e\n',
    maths: 'a $b^2$ c $`d`$ $$e$$\n\n$$\nf_g\n$$\n\n- h\n\n  $$\n  i\n  $$\n\n```math\nj + k\n```\n',
    entities: '&amp; &auml; &#98; &#x1F600; &NotEqualTilde; a&nbsp;b &unknown; &amp;amp; *&lt;*\n',
    escapes: '\\* \\\\ a\\_b \\a *c\\*d* \\&amp; \\[e\\](f)\n',
    'hard breaks': 'a  \nb\\\nc<br>d\ne\n',
    headings: '# a *b* #\n\n# # #\n\n## c\n\nd\ne\n===\n\nf\n-\n',
    'HTML comments': 'a <!-- b --> c\n\n<!--\n\nd\n-->\n\n- e\n  <!-- f -->\n  g\n',
    'raw HTML':
      '<p align="center">\n  a <b>c</b> &amp; d\n</p>\n\ne <kbd>f</kbd>\n\n<details><summary>g</summary>\n\n*h*\n\n</details>\n',
    'several in each other':
      '> 1. *a **b*** [`c` ~~d~~](/e)\n>\n>    | f |\n>    |---|\n>    | *g* $h$ |\n>\n>    - > ```\n>      > i\n>      > ```\n>      > j &amp;\n',
    'characters of several units': '🦊 👩‍👩‍👧 *é e\u0301* `🦊`\n\n| 🦊 | 中文 |\n|--|--|\n| b | 🦊c |\n',
    'other directions': 'שלום *עולם* a\n\n- مرحبا [b](/c)\n\n> שלום `d`\n',
    'list and quote that go on without their signs': '- a\n  > b\nc\n\n> - d\ne\n',
  }
  it.each(Object.entries(cases))('%s', async (name, source) => {
    const plain = await selectAllOf(name, source)
    expect(plain.exact).toBeGreaterThan(2)
    expect({ ...plain, exact: 0, back: 0, rightlyRefused: 0 }).toEqual(newTally())
    const crlf = await selectAllOf(name, source.replaceAll('\n', '\r\n'))
    expect(crlf).toEqual(plain)
  })

  it('also in a quote and in lists', async () => {
    const begin = (first: string, others: string) => (text: string) =>
      first + text.replace(/\n(?=[^\n])/g, `\n${others}`)
    const containers = [begin('> ', '> '), begin('- ', '  '), begin('1.\t', '\t'), begin('> - ', '>   ')]
    for (const [name, source] of Object.entries(cases)) {
      // A note within something else is none here.
      if (source.includes('[^')) continue
      for (const contain of containers) {
        const quoted = contain(source.trimEnd())
        const told = newTally()
        await selectIn(name, quoted, 1, 60, told)
        expect({ ...told, exact: 0, back: 0 }, quoted).toEqual(newTally())
      }
    }
  })
})
