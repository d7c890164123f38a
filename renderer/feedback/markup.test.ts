import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../server/contract/limits.ts'
import { blocksOf, type Block, type Inline } from './markup.ts'
import { mayBeMarked } from './may-be-marked.ts'

/** The tree in short, as HTML would have it. */
const shown = (text: string, names?: string[]) => blocksOf(text, names).map(block).join('')
const block = (one: Block): string =>
  one.kind === 'words'
    ? `<p>${one.words.map(word).join('')}</p>`
    : one.kind === 'code'
      ? `<pre>${one.text}</pre>`
      : one.kind === 'quote'
        ? `<quote>${one.blocks.map(block).join('')}</quote>`
        : `<list ${one.start ?? '-'}>${one.items.map((item) => `<li>${item.map(block).join('')}</li>`).join('')}</list>`
const word = (one: Inline): string =>
  typeof one === 'string'
    ? one
    : 'text' in one
      ? `<${one.kind}>${one.text}</${one.kind}>`
      : `<${one.kind}${one.kind === 'link' ? ` ${one.href}` : ''}>${one.words.map(word).join('')}</${one.kind}>`

describe('a comment’s Markdown', () => {
  it.each([
    ['one *two* **three** ~~four~~', '<p>one <em>two</em> <strong>three</strong> <del>four</del></p>'],
    [
      '***both*** and _one_ and __two__',
      '<p><strong><em>both</em></strong> and <em>one</em> and <strong>two</strong></p>',
    ],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['snake_case_name, 2 * 3 * 4, ~20, a ~ b', '<p>snake_case_name, 2 * 3 * 4, ~20, a ~ b</p>'],
    ['*open and **open', '<p>*open and **open</p>'],
    ['\\*not\\* `*code*` ``a ` b``', '<p>*not* <code>*code*</code> <code>a ` b</code></p>'],
    ['`open', '<p>`open</p>'],
    ['two\nlines\n\nand more', '<p>two\nlines</p><p>and more</p>'],
    ['> said *so*\n> twice\n\nno', '<quote><p>said <em>so</em>\ntwice</p></quote><p>no</p>'],
    [
      '- one\n- two\n  - in it\n\n3. three',
      '<list -><li><p>one</p></li><li><p>two</p><list -><li><p>in it</p></li></list></li></list><list 3><li><p>three</p></li></list>',
    ],
    ['```js\n*a*\n\n<b>\n```\nafter', '<pre>*a*\n\n<b></pre><p>after</p>'],
    [
      '# no heading\n<b>no HTML</b> &amp; ![x](https://a.example/p.png)',
      '<p># no heading\n<b>no HTML</b> &amp; !<link https://a.example/p.png>x</link></p>',
    ],
    [
      '[a *b*](https://a.example/c_d_(e)?f=*g*)',
      '<p><link https://a.example/c_d_(e)?f=*g*>a <em>b</em></link></p>',
    ],
    [
      '(see https://a.example/b_c.) <https://a.example>',
      '<p>(see <link https://a.example/b_c>https://a.example/b_c</link>.) <link https://a.example/>https://a.example</link></p>',
    ],
    ['[mail](mailto:a@b.example)', '<p><link mailto:a@b.example>mail</link></p>'],
    [
      '[a](javascript:alert) [b](data:text/html,x) [c](/relative) [d](//e.example)',
      '<p>[a](javascript:alert) [b](data:text/html,x) [c](/relative) [d](//e.example)</p>',
    ],
    [
      '[https://bank.example](https://other.example)',
      '<p><link https://other.example/>https://bank.example</link></p>',
    ],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected)
    if (/<(?!b>|\/?p>)/.test(expected)) expect(mayBeMarked(text)).toBe(true)
  })

  it('shows who is mentioned, by the whole of their name', () => {
    const names = ['Ada', 'Ada Lovelace', 'h*m']
    expect(shown('@Ada Lovelace and @Ada, not @Adam or a@Ada', names)).toBe(
      '<p><mention>@Ada Lovelace</mention> and <mention>@Ada</mention>, not @Adam or a@Ada</p>',
    )
    expect(shown('*@h*m*', names)).toBe('<p><em><mention>@h*m</mention></em></p>')
  })

  const parts = [
    '*',
    '**',
    '_',
    '~~',
    '`',
    '``',
    '[',
    '](',
    ')',
    'https://a.example/',
    'javascript:',
    '<b onclick=x>',
    '> ',
    '- ',
    '1. ',
    '\n',
    '\n\n',
    '```\n',
    '  ',
    'a',
    'b c',
    '\\',
    '@Ada',
    '&',
    '"',
    '😀',
    '\u202e',
    '\0',
  ]
  const written = fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map((all) => all.join(''))

  it('loses no letter, makes nothing up, and leads nowhere but to the web and to mail', () => {
    fc.assert(
      fc.property(written, (text) => {
        const letters = (all: string) => all.replace(/[^ab😀]/gu, '')
        const found = blocksOf(text, ['Ada'])
        const said = wordsOf(found)
        // An address may stand behind words, and a code block’s first line names its language.
        if (!text.includes('https') && !text.includes('```')) expect(letters(said)).toBe(letters(text))
        for (const href of hrefsOf(found)) expect(href).toMatch(/^(?:https?:|mailto:)/)
      }),
      { numRuns: 2_000 },
    )
  })
})

const wordsOf = (blocks: readonly Block[]): string =>
  blocks
    .map((one) =>
      'text' in one
        ? one.text
        : one.kind === 'words'
          ? inlineWords(one.words)
          : wordsOf(one.kind === 'quote' ? one.blocks : one.items.flat()),
    )
    .join('\n')
const inlineWords = (words: readonly Inline[]): string =>
  words
    .map((one) => (typeof one === 'string' ? one : 'text' in one ? one.text : inlineWords(one.words)))
    .join('')
const hrefsOf = (blocks: readonly Block[]): string[] =>
  [...JSON.stringify(blocks).matchAll(/"href":"((?:[^"\\]|\\.)*)"/g)].map(([, href]) => href!)

describe('hostile comments', () => {
  const attacks = ['dompurify', 'html5sec', 'blns'].flatMap((name) => readCorpus<string>(name) ?? [])
  if (attacks.length === 0) it.skip('are not read: ../shared/corpora is not here', () => {})
  else
    it('lead nowhere but to the web and to mail', () => {
      for (const attack of attacks) {
        for (const text of [attack, `[x](${attack})`, `<${attack}>`, `> - **${attack}**`]) {
          for (const href of hrefsOf(blocksOf(text))) expect(href).toMatch(/^(?:https?:|mailto:)/)
        }
      }
    })

  const pathological = readCorpus<{ name: string; parts?: Part[] }>('pathological')
  if (!pathological)
    it.skip('cost little: not tried, ../shared/corpora/pathological.json is not here', () => {})
  else
    it.each(pathological.filter(({ parts }) => parts))('$name: costs little', ({ parts }) => {
      const text = built(parts!).slice(0, limits.commentLength)
      expect(countSteps(text)).toBeLessThan(40 * limits.commentLength)
    })
})

/** So much of it there is in the tree; how deep it goes is bounded, too. */
function countSteps(text: string): number {
  const blocks = blocksOf(text)
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  expect(depth(blocks)).toBeLessThan(60)
  return JSON.stringify(blocks).length
}

type Part =
  | { literal: string }
  | { repeat: string; times: number }
  | { series: { from: number; to: number; before?: string; pad?: string; number?: boolean; then: string } }

function built(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if ('literal' in part) return part.literal
      if ('repeat' in part) return part.repeat.repeat(part.times)
      const { from, to, before = '', pad = '', number, then } = part.series
      let text = ''
      for (let n = from; n <= to; n++) text += before + (number ? String(n) : pad.repeat(n)) + then
      return text
    })
    .join('')
}

function readCorpus<T>(name: string): T[] | null {
  try {
    return JSON.parse(
      readFileSync(new URL(`../../../shared/corpora/${name}.json`, import.meta.url), 'utf8'),
    ) as T[]
  } catch {
    return null
  }
}
