import { isolateHistory } from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
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
  ]).toEqual([
    'one ***[two](https://example.org)*** *three*',
    'one **`two` three**',
    '**one `two`** **three**',
  ])
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
