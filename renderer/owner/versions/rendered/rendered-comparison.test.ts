import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadParts } from '../../../../server/markdown/code-and-maths.ts'
import { diffSegments } from '../../../../server/domain/diff-segments.ts'
import { passagesOf } from '../passages.ts'
import { foldRows } from './folded-rows.ts'
import { compareRendered, type ComparedRow } from './rendered-comparison.ts'

const numbered = (before: string, after: string) => passagesOf(diffSegments(before, after)).segments
const compared = (before: string, after: string) => compareRendered(numbered(before, after))

/** Marks as short signs, all other markup away. */
const short = (html: string | null | undefined) =>
  html === null || html === undefined
    ? null
    : html
        .replace(/<span class="said">\w+: <\/span>/g, '')
        .replace(/<del class="changed"[^>]*>(.*?)<\/del>/gs, '‹$1›')
        .replace(/<ins class="changed"[^>]*>(.*?)<\/ins>/gs, '«$1»')
        .replace(/<[^>]*>/g, '')
        .trim()
const inOne = (before: string, after: string) =>
  compared(before, after).map((row) =>
    row.kind === 'unseen'
      ? `unseen ${row.segments.map(({ text }) => text).join('|')}`
      : row.kind === 'same'
        ? short(row.after)
        : row.one === null
          ? { before: short(row.before), after: short(row.after) }
          : short(row.one),
  )

test.each([
  ['A red house.', 'A blue house.', 'A ‹red›«blue» house.'],
  ['One two three', 'One three', 'One ‹two ›three'],
  ['One two', 'One', 'One‹ two›'],
  ['a bold word', 'a **bold** word', 'a ‹bold›«bold» word'],
  ['see [it](http://a.b/c) here', 'see [it](http://a.b/d) here', 'see ‹it›«it» here'],
  ['wo**rd** more', 'wo**rk** more', '‹word›«wo»«rk» more'],
  ['[one](http://a.b) two', '[on](http://a.b)wo', '‹one two›«on»«wo»'],
  ['cafe\u0301 au lait', 'cafe au lait', '‹cafe\u0301›«cafe» au lait'],
  ['我们今天去', '我们明天去', '我们‹今›«明»天去'],
  ['- a\n- b\n- c', '- a\n- c', 'a\n‹b›c'],
  ['- a\n- b', '- a', 'a‹b›'],
  ['|a|b|\n|-|-|\n|1|2|', '|a|b|\n|-|-|\n|1|3|', 'a\nb\n\n\n\n1\n‹2›«3»'],
  ['```js\na\n  b\n```', '```js\na\n  c\n```', 'a\n  ‹b›«c»'],
  ['x <b>&amp; y</b> z', 'x <b>&lt; y</b> z', 'x ‹&amp;›«&lt;» y z'],
])('in %j, changed to %j, words are marked', (before, after, marked) => {
  expect(inOne(`${before}\n`, `${after}\n`)).toEqual([marked])
})

test.each([
  ['# A', '## A', 'A', 'A'],
  ['![a](files/a.png)', '![a](files/b.png)', '', ''],
  ['one two\n\nthree four', 'one two three four', 'one two\nthree four', 'one two three four'],
  ['- [ ] pay', '- [x] pay', 'pay', 'pay'],
  ['*   *   *', 'new', '', '«new»'],
])('what no word of %j tells is shown as it was and as it is', (before, after, old, young) => {
  const row = compared(`${before}\n`, `${after}\n`)[0]!
  expect(row).toMatchObject({ kind: 'changed', one: null, isWhole: true, changes: [0] })
  if (row.kind !== 'changed') return
  expect(short(row.before)).toBe(old)
  expect(short(row.after)).toBe(young)
})

test('a formula is marked whole, and so is a diagram’s source by its words', async () => {
  const [before, after] = [
    'so $a^2$ is\n\n```mermaid\ngraph LR; A-->B\n```\n',
    'so $a^3$ is\n\n```mermaid\ngraph LR; A-->C\n```\n',
  ]
  const rows = compareRendered(numbered(before, after), await loadParts(before))
  expect(rows).toHaveLength(2)
  const [formula, diagram] = rows.map((row) => (row.kind === 'changed' ? row.one! : ''))
  expect(formula).toMatch(
    /<del [^>]*><span class="said">removed: <\/span><span class="maths">.*<\/span><\/del><ins /s,
  )
  expect(formula!.match(/<math/g)).toHaveLength(2)
  expect(diagram).toContain('graph LR; A--&gt;<del')
})

test('what doesn’t show is told, and an unchanged text is only that', () => {
  expect(inOne('[x]\n\n[x]: http://a.b\n', '[x]\n\n[x]: http://c.d\n')).toEqual([
    'x',
    'unseen [x]: http://|a|c|.|b|d|',
  ])
  expect(inOne('---\nt: 1\n---\n\nx\n', '---\nt: 2\n---\n\nx\n')).toEqual(['unseen t: |1|2|', 'x'])
  expect(compared('a\n', 'a\n')).toMatchObject([{ kind: 'same' }])
  expect(compared('', '')).toEqual([])
})

test('of a block that shows as nothing it is said what it is', () => {
  const added = (block: string) => inOne('one\n', `one\n\n${block}\n`)[1]
  expect(added('<iframe src="http://a.b"></iframe>')).toEqual({
    before: null,
    after: '(raw HTML, see Source)',
  })
  expect(added('#')).toEqual({ before: null, after: '(nothing that shows, see Source)' })
})

test('paragraphs that came or went stand by themselves, and moved text hides nothing', () => {
  expect(inOne('one one\n\ntwo two\n', 'one one\n\nnew here\n\ntwo two\n')).toEqual([
    'one one',
    { before: null, after: 'new here' },
    'two two',
  ])
})

test('nothing of a text is markup that the renderer didn’t write, and nothing has a name', () => {
  const evil =
    'x <img src=x onerror=alert(1)> <script>alert(1)</script> "><svg onload=alert(1)> # y[^1]\n\n[^1]: n\n'
  const html = JSON.stringify([
    compared(evil, evil.replace('x ', 'z <b onclick=a> ')),
    compared(`# A\n${evil}`, '# B\n'),
  ])
  expect(html).not.toMatch(/<(?:script|svg)|<[^>]+ on\w+=| id=|href=\\"#/)
  // A role of links, or a name of one, would be wrong on what leads nowhere.
  expect(html).toContain('footnote-ref')
  expect(html).not.toMatch(/<a [^>]*(?:role|aria-label)=/)
})

test('long unchanged stretches are folded, with a block left beside each change', () => {
  const text = Array.from({ length: 20 }, (_, i) => `Paragraph number ${i}.\n\n`).join('')
  const rows = foldRows(compared(text, text.replace('number 10', 'number ten')))
  expect(rows.map((row) => (row.kind === 'fold' ? row.rows.length : row.kind))).toEqual([
    9,
    'same',
    'changed',
    'same',
    8,
  ])
})

const words = fc.constantFrom(
  'the',
  'red',
  'house',
  '**bold**',
  '*very fine*',
  '`code`',
  '[a link](http://a.b)',
  'naïve',
  '👩‍👩‍👧',
  '$x$',
  '&amp;',
)
const line = fc.array(words, { minLength: 1, maxLength: 8 }).map((list) => list.join(' '))
const block = fc.oneof(
  line,
  line.map((words) => `## ${words}`),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.map((one) => `- ${one}`).join('\n')),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `> ${lines.join('\n> ')}`),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((rows) => `| a | b |\n| - | - |\n${rows.map((one) => `| ${one} | x |`).join('\n')}`),
  line.map((words) => `\`\`\`\n${words}\n\`\`\``),
)
const document = fc.array(block, { maxLength: 6 })

test('what is shown in one holds both texts, to the letter, and is well nested', () => {
  const bare = (html: string | null) => short(html)?.replace(/\s+/g, '') ?? ''
  const isNested = (html: string | null) => {
    const open: string[] = []
    for (const [, slash, name] of (html ?? '').matchAll(/<(\/?)([a-z\d]+)[^>]*>/g)) {
      if (['img', 'br', 'input', 'hr'].includes(name!)) continue
      if (!slash) open.push(name!)
      else if (open.pop() !== name) return false
    }
    return open.length === 0
  }
  const unmarked = (html: string | null, kind: '-' | '+') =>
    (kind === '-' ? bare(html).replace(/‹.*?›/gs, '') : bare(html).replace(/«.*?»/gs, '')).replace(
      /[‹›«»]/g,
      '',
    )
  fc.assert(
    fc.property(
      document,
      fc.array(fc.tuple(fc.nat(), block), { maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), words), { maxLength: 6 }),
      (blocks, put, changed) => {
        const before = `${blocks.join('\n\n')}\n`
        const young = [...blocks]
        for (const [at, one] of put) young.splice(at % (young.length + 1), at % 2, one)
        let after = `${young.join('\n\n')}\n`
        for (const [at, word] of changed) {
          const space = after.indexOf(' ', at % after.length)
          if (space > 0)
            after =
              after.slice(0, space) +
              (at % 3 === 0 ? ` ${word}` : '') +
              after.slice(space + (at % 3 === 1 ? 2 : 0))
        }
        const rows: ComparedRow[] = compared(before, after)
        for (const row of rows) {
          if (row.kind !== 'changed') continue
          for (const html of [row.before, row.after, row.one]) expect(isNested(html), html ?? '').toBe(true)
          if (row.one === null) continue
          expect(unmarked(row.one, '+')).toBe(unmarked(row.before, '+'))
          expect(unmarked(row.one, '-')).toBe(unmarked(row.after, '-'))
        }
        const whole = (text: string, side: 'before' | 'after') =>
          [compareRendered([{ kind: 'same', text }]), rows].map((list) =>
            list.map((row) => (row.kind === 'unseen' ? '' : bare(row[side]).replace(/[‹›«»]/g, ''))).join(''),
          )
        for (const [text, side] of [
          [before, 'before'],
          [after, 'after'],
        ] as const) {
          const [wanted, found] = whole(text, side)
          expect(found).toBe(wanted)
        }
        const told = new Set(
          rows.flatMap((row) =>
            row.kind === 'unseen'
              ? row.changes
              : row.kind === 'same'
                ? []
                : [
                    ...row.changes,
                    ...[...`${row.before}${row.after}`.matchAll(/data-changes="([^"]+)"/g)].flatMap(
                      ([, list]) => list!.split(' ').map(Number),
                    ),
                  ],
          ),
        )
        const count = passagesOf(diffSegments(before, after)).passages.length
        expect([...told].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i))
      },
    ),
    { numRuns: Number(process.env['GALLEY_RUNS'] ?? 150) },
  )
})
