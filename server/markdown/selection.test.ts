import fc from 'fast-check'
import { readdirSync, readFileSync, type Dirent } from 'node:fs'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { readDocument } from './document.ts'
import { hostileMarkdown } from './testing/hostile-markdown.ts'
import { loadParts } from './code-and-maths.ts'
import { renderMarkdown } from './render.ts'
import { defaultLimits } from './render-limits.ts'
import type { RenderedPoint } from '../contract/records/rendering.ts'
import { SelectionMap } from './selection.ts'

/** What a browser would know: the non-white-space characters of each block, by its `data-b`. */
function blocksOf(html: string): Map<number, string> {
  const blocks = new Map<number, string>()
  const visit = (node: DefaultTreeAdapterTypes.ChildNode): void => {
    if (!('childNodes' in node)) return
    const mark = 'attrs' in node && node.attrs.find(({ name }) => name === 'data-b')
    if (mark) {
      expect(blocks.has(Number(mark.value))).toBe(false)
      blocks.set(Number(mark.value), textOf(node).replace(/\s/g, ''))
    } else node.childNodes.forEach(visit)
  }
  parseFragment(html).childNodes.forEach(visit)
  return blocks
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

async function open(source: string) {
  const parts = await loadParts(source)
  const { html } = renderMarkdown(source, parts)
  const map = new SelectionMap(readDocument(source, 100), parts, defaultLimits)
  const select = (text: string) => {
    for (const [block, shown] of blocksOf(html)) {
      const char = shown.indexOf(text.replace(/\s/g, ''))
      if (char >= 0)
        return map.sourceRange({ block, char }, { block, char: char + text.replace(/\s/g, '').length })
    }
    throw new Error(`the page doesn't show ${text}`)
  }
  return {
    html,
    map,
    blocks: blocksOf(html),
    /** The source of the first place on the page that reads `text`. */
    quote(text: string) {
      const range = select(text)
      return range && source.slice(range.start, range.end)
    },
  }
}

const crowd = '\u0301'.repeat(120)

describe('a selection on the rendered page is the exact source', () => {
  const cases: [name: string, source: string, selected: string, quote: string][] = [
    ['in a paragraph', 'One two three.', 'two', 'two'],
    ['behind a byte-order mark', '\uFEFF# One *two* three', 'two three', 'two* three'],
    ['across emphasis', 'One *two* **three** four', 'two three', 'two* **three'],
    ['of an entity', 'a &auml;&#98; c', 'äb', '&auml;&#98;'],
    ['of an escape', 'a \\* b', '*', '\\*'],
    ['of code', 'a `` x ` y `` b', 'x ` y', 'x ` y'],
    ['in a link', '[one \\] two](https://a.b "t") three', '] two', '\\] two'],
    ['of an autolink', 'see <https://a.b/c> now', 'https://a.b/c', 'https://a.b/c'],
    ['in a nested list', '- one\n  - two *three*\n    four\n- five', 'three four', 'three*\n    four'],
    ['in a quote in a list', '1. a\n\n   > b\n   > c `d`\n', 'c d', 'c `d'],
    ['with lazy lines', '> one\ntwo\n> three', 'one two three', 'one\ntwo\n> three'],
    ['in a table', '| a | b |\n|---|---|\n| c \\| d | `e` |', 'c | d', 'c \\| d'],
    ['in a table without outer pipes', 'a | b\n--|--\nc | d', 'd', 'd'],
    ['in fenced code', '```js\nconst a = 1\n\n  b()\n```', 'a = 1 b', 'a = 1\n\n  b'],
    ['in indented code', 'x\n\n    one\n      two\n', 'one two', 'one\n      two'],
    ['in code in a list', '- a\n\n  ```\n  one\n    two\n  ```', 'one two', 'one\n    two'],
    ['with tabs', '-\tone\n\n\ttwo\n', 'two', 'two'],
    ['in a setext heading', 'One\ntwo\n===', 'two', 'two'],
    ['in a closed heading', '## One two ##', 'One two', 'One two'],
    ['in a task', '- [ ] one\n- [x] two', 'two', 'two'],
    ['in a loose task', '- [ ] one\n\n- [x]  two *three*', 'two three', 'two *three'],
    ['of maths', 'so $x^2$ is', 'x2', '$x^2$'],
    ['in a footnote', 'a[^n]\n\n[^n]: One\n    two.\n\n    *Three*', 'two. Three', 'two.\n\n    *Three'],
    ['of a reference to a footnote', 'a[^n] b\n\n[^n]: One', '1', '[^n]'],
    ['of an image', 'a ![alt](https://a.b/c.png) d', 'alt', '![alt](https://a.b/c.png)'],
    ['in raw HTML', '<div>\none <b>two</b> &lt;\n</div>', 'two <', 'two</b> &lt;'],
    ['in a details element', '<details><summary>a</summary>\n\n*b* c\n\n</details>', 'b c', 'b* c'],
    ['after CRLF line ends', 'one\r\n\r\n- two\r\n  three\r\n', 'two three', 'two\r\n  three'],
    ['after front matter', '---\na: b\n---\n\n# One', 'One', 'One'],
    ['of a character of two units', 'a 🦊 b', '🦊', '🦊'],
    ['of an escaped bracket that a link begins with', '[\\]](/u)', ']', '\\]'],
    ['of an escaped border that a cell begins with', '| \\| a |\n|--|', '|', '\\|'],
    [
      'of maths on lines of their own, without what is before them',
      'a\n\n  $$\n  x\n  $$',
      'x',
      '$$\n  x\n  $$',
    ],
    ['behind many empty lines of a quote', '> a\n>\n>\n>\n>\n>\n> b c', 'b c', 'b c'],
    ['in a quote within a quote that goes on without its signs', '>>\n>> a\nb c', 'b c', 'b c'],
    ['in a list in a quote that goes on without their signs', '- a\n  > 0)\nb c', 'b c', 'b c'],
    ['of a crowd of marks', `b **a${crowd}**`, 'a[120 combining marks]', `a${crowd}`],
    ['behind a crowd of marks', `a${crowd}b \`c\``, 'b c', 'b `c'],
    ['in a crowd of marks of entities', `a${'&#x301;'.repeat(120)}b`, '[120 combining marks]', '&#x301;'],
    ['behind a crowd with tags in it', `a${'\u0301<b></b>'.repeat(120)}b c`, 'b c', 'b c'],
    ['of half of such a character', 'a 🦊 b', '\ud83e', '🦊'],
  ]
  it.each(cases)('%s', async (_, source, selected, quote) => {
    expect((await open(source)).quote(selected)).toBe(quote)
  })

  it('of a sign of headings that is one of its words', async () => {
    const { map } = await open('# # #')
    expect(map.sourceRange({ block: 0, char: 0 }, { block: 0, char: 1 })).toEqual({ start: 2, end: 3 })
  })

  it('from one block to another', async () => {
    const source = '# One\n\nTwo *three*\n\n- four'
    const { map } = await open(source)
    const range = map.sourceRange({ block: 0, char: 1 }, { block: 20, char: 2 })
    expect(range && source.slice(range.start, range.end)).toBe('ne\n\nTwo *three*\n\n- fo')
  })

  it('from the text to a footnote, only where nothing else is written between them', async () => {
    const across = async (source: string) => {
      const { map, blocks } = await open(source)
      const [first, last] = [[...blocks.keys()][0]!, [...blocks.keys()].at(-1)!]
      const range = map.sourceRange({ block: first, char: 0 }, { block: last, char: 3 })
      return range && source.slice(range.start, range.end)
    }
    expect(await across('One[^n]\n\n[^n]: Two three')).toBe('One[^n]\n\n[^n]: Two')
    expect(await across('One[^n]\n\nFour\n\n[^n]: Two three')).toBe('One[^n]\n\nFour\n\n[^n]: Two')
    // Written between what shows before it.
    expect(await across('One[^n]\n\n[^n]: Two three\n\nFour')).toBeNull()
    // Written before what shows before it.
    expect(await across('[^n]: Two three\n\nOne[^n]')).toBeNull()
    // In another order than they show.
    expect(await across('One[^b] two[^a]\n\n[^a]: Three\n\n[^b]: Four')).toBeNull()
  })

  it('is null where there is nothing', async () => {
    const { map } = await open('One\n\n![](x)\n\n---\n\n')
    expect(map.sourceRange({ block: 1, char: 0 }, { block: 1, char: 1 })).toBeNull()
    expect(map.sourceRange({ block: 0, char: 9 }, { block: 0, char: 12 })).toBeNull()
    expect(map.sourceRange({ block: 0, char: 2 }, { block: 0, char: 2 })).toBeNull()
    expect(map.sourceRange({ block: 0, char: -1 }, { block: 0, char: NaN })).toBeNull()
  })
})

describe('a range of the source shows on the page', () => {
  const shown = async (source: string, text: string) => {
    const { map, blocks } = await open(source)
    const start = source.indexOf(text)
    const range = map.renderedRange({ start, end: start + text.length })
    return (
      range && [
        blocks.get(range.from.block)!.slice(range.from.char),
        blocks.get(range.to.block)!.slice(0, range.to.char),
      ]
    )
  }

  it('where its words are', async () => {
    expect(await shown('One *two* three', 'two')).toEqual(['twothree', 'Onetwo'])
  })

  it('without the markup at its ends', async () => {
    expect(await shown('One **two** three', ' **two** ')).toEqual(['twothree', 'Onetwo'])
    expect(await shown('# One\n\nTwo\n\n---\n', '# One\n\nTwo\n\n--')).toEqual(['One', 'Two'])
  })

  it('nowhere if it is only markup', async () => {
    expect(await shown('[a]: https://a.b\n\n[a]', ': https')).toBeNull()
    expect(await shown('---\nkey: x\n---\n\na', 'key')).toBeNull()
    expect(await shown('One <!-- two --> three', 'two')).toBeNull()
  })
})

const snippet = fc.oneof(
  fc.constantFrom(
    ...[
      '# H *i*\n',
      '\n',
      '\n\n',
      '- a\n',
      '  - b `c`\n',
      '> q\n',
      '    code\n',
      '```js\nlet x\n```\n',
      'one *two* ',
      '&lt;',
    ],
    ...[
      '|a|b|\n|-|-|\n|c\\|d|e|\n',
      '[x](y)',
      '![i](z)',
      '\\*',
      '$a_b$',
      '[^1]',
      '[^1]: n *o*\n',
      '- [ ] t\n',
      '<b>',
      '</b>',
    ],
    ...[
      '<div>\n',
      '</div>\n',
      '<details>',
      '</details>',
      '<table><tr><td>',
      '</td></table>',
      '<p>',
      '</p>',
      '<a href="x">',
      '</a>',
    ],
    ...[
      '\t',
      '\r\n',
      '~~s~~ ',
      '**b** ',
      '***\n',
      '===\n',
      '1. o\n',
      '$$\nx\n$$\n',
      '<li>',
      '<img src=x>',
      '🦊',
      'é',
      '\u00a0',
    ],
  ),
  fc.constantFrom(...hostileMarkdown),
  fc.string({ maxLength: 8 }),
)
const markdown = fc.array(snippet, { maxLength: 14 }).map((parts) => parts.join(''))

describe('for any text', () => {
  it('blocks stay where they are put: no raw HTML ends one or forges one', async () => {
    await fc.assert(
      fc.asyncProperty(markdown, async (source) => {
        const { html, limited } = renderMarkdown(source, await loadParts(source))
        fc.pre(!limited)
        const tops = parseFragment(html).childNodes.filter((node) => !('value' in node && !node.value.trim()))
        for (const node of tops) {
          expect(['div', 'section']).toContain(node.nodeName)
          expect('attrs' in node && node.attrs[0]!.value).toMatch(/^(?:b|footnotes)$/)
        }
        const wrappers = html.match(/<div class="b" data-b="\d+">/g)?.length ?? 0
        expect(blocksOf(html).size).toBe(wrappers)
      }),
      { numRuns: 1_500 },
    )
  })

  it('selections stay within the source, and lead back to the same place', async () => {
    await fc.assert(
      fc.asyncProperty(markdown, fc.nat(), fc.nat(), async (source, a, b) => {
        const { map, blocks } = await open(source)
        for (const [block, text] of blocks) {
          if (!text) continue
          const char = a % text.length
          const to: RenderedPoint = { block, char: char + 1 + (b % (text.length - char)) }
          const range = map.sourceRange({ block, char }, to)
          if (!range) continue
          expect(range.start).toBeGreaterThanOrEqual(0)
          expect(range.end).toBeLessThanOrEqual(source.length)
          const back = map.renderedRange(range)
          expect(back && map.sourceRange(back.from, back.to)).toEqual(range)
        }
      }),
      { numRuns: 800 },
    )
  })

  it('every character shown knows where it comes from, unless it was made up', async () => {
    await fc.assert(
      fc.asyncProperty(markdown, async (source) => {
        const { html, map, blocks } = await open(source)
        fc.pre(!/class="(?:footnote|img|maths)/.test(html))
        for (const [block, text] of blocks) {
          for (let char = 0; char < text.length; char++) {
            const range = map.sourceRange({ block, char }, { block, char: char + 1 })
            const quote = range && source.slice(range.start, range.end)
            if (
              quote === null ||
              (!/^[&\\]/.test(quote) && !quote.includes(text[char]!) && text[char] !== '\uFFFD')
            ) {
              throw new Error(`${JSON.stringify(text[char])} of block ${block} is ${JSON.stringify(quote)}`)
            }
          }
        }
      }),
      { numRuns: 800 },
    )
  })
})

describe('the READMEs in node_modules', () => {
  it('give exact selections, word by word', async () => {
    let checked = 0
    const wrong: string[] = []
    for (const path of readmes().slice(0, 250)) {
      const source = readFileSync(path, 'utf8')
      if (source.length > 60_000) continue
      const { map, blocks } = await open(source)
      for (const [block, text] of blocks) {
        const step = Math.max(1, Math.floor(text.length / 6))
        for (let at = 0; at + 6 <= text.length; at += step) {
          // Characters of two units are selected whole.
          const char = /[\udc00-\udfff]/.test(text[at]!) ? at + 1 : at
          const end = /[\ud800-\udbff]/.test(text[char + 3]!) ? char + 5 : char + 4
          const range = map.sourceRange({ block, char }, { block, char: end })
          const quote = range && source.slice(range.start, range.end)
          checked++
          if (!quote || !reads(quote, text.slice(char, end))) {
            wrong.push(`${path} block ${block}: ${text.slice(char, end)} is ${JSON.stringify(quote)}`)
          }
        }
      }
    }
    expect(checked).toBeGreaterThan(5_000)
    expect(wrong).toEqual([])
  }, 120_000)
})

/** Whether the source says what is shown: the same characters in the same order, with only markup between them. */
function reads(quote: string, shown: string): boolean {
  if (/[&\\]|!\[|\$|<img|\[\^|<a/.test(quote) || shown.includes('↩')) return true
  let at = 0
  for (let i = 0; i < quote.length; i++) if (quote[i] === shown[at]) at++
  return at === shown.length && quote.startsWith(shown[0]!) && quote.endsWith(shown.at(-1)!)
}

function readmes(): string[] {
  const root = new URL('../../node_modules/', import.meta.url)
  const found: string[] = []
  const list = (folder: URL): Dirent[] => readdirSync(folder, { withFileTypes: true })
  for (const entry of list(root)) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue
    const folder = new URL(`${entry.name}/`, root)
    const packages = entry.name.startsWith('@')
      ? list(folder).map((inner) => new URL(`${inner.name}/`, folder))
      : [folder]
    for (const home of packages) {
      for (const file of list(home))
        if (/^readme\.md$/i.test(file.name)) found.push(new URL(file.name, home).pathname)
    }
  }
  return found
}
