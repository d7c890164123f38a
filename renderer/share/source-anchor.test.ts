import fc from 'fast-check'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../server/markdown/document.ts'
import { loadParts } from '../../server/markdown/code-and-maths.ts'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { defaultLimits } from '../../server/markdown/render-limits.ts'
import { SelectionMap } from '../../server/markdown/selection.ts'
import { sourceAnchor, type ShownBlocks } from './source-anchor.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

/** The blocks of the page that the server makes of a text, and what the server finds for a selection in them. */
async function pageOf(source: string) {
  const parts = await loadParts(source)
  const map = new SelectionMap(readDocument(source, 100), parts, defaultLimits)
  const blocks: { start: number; shown: string }[] = []
  const visit = (node: Node): void => {
    if (!('attrs' in node)) return
    const mark = node.attrs.find(({ name }) => name === 'data-b')
    if (mark) blocks.push({ start: Number(mark.value), shown: textOf(node).replace(/\s/g, '') })
    else node.childNodes.forEach(visit)
  }
  parseFragment(renderMarkdown(source, parts).html).childNodes.forEach(visit)
  const select = (first: number, from: number, last: number, to: number) => {
    const between = blocks.slice(first, last + 1)
    const shown = between.map(({ shown }) => shown).join('')
    const until = shown.length - between.at(-1)!.shown.length + to
    const chosen: ShownBlocks = {
      start: blocks[first]!.start,
      end: blocks[last + 1]?.start ?? null,
      shown,
      chosen: shown.slice(from, until),
      before: from,
    }
    const server = map.sourceRange(
      { block: blocks[first]!.start, char: from },
      { block: blocks[last]!.start, char: to },
    )
    return { chosen, server }
  }
  return { blocks, select }
}

async function find(source: string, words: string, nth = 0) {
  const { blocks, select } = await pageOf(source)
  const wanted = words.replace(/\s/g, '')
  for (const [i, { shown }] of blocks.entries()) {
    let at = shown.indexOf(wanted)
    for (let n = 0; n < nth && at >= 0; n++) at = shown.indexOf(wanted, at + 1)
    if (at < 0) continue
    const { chosen, server } = select(i, at, i, at + wanted.length)
    return { found: sourceAnchor(source, chosen), server }
  }
  throw new Error(`the page doesn’t say ${words}`)
}

describe('the source of chosen words, without the server', () => {
  const cases: [name: string, source: string, words: string, nth: number, quote: string][] = [
    ['in prose', 'One two three.', 'two', 0, 'two'],
    ['over line ends', 'One\r\ntwo\r\nthree', 'one two'.slice(4), 0, 'two'],
    ['across formatting', 'One *two* **three** four', 'two three', 0, 'two* **three'],
    ['within formatted words', 'un*believ*able', 'unbelievable', 0, 'un*believ*able'],
    ['of several places the one that was chosen', 'a *wide* or wide or wide b', 'wide', 1, 'wide'],
    ['where a link leads says nothing', '[more](more) and **mo**re', 'more', 1, 'mo**re'],
    ['across a link', 'see [this](https://a.b/c_(d)) now', 'this now', 0, 'this](https://a.b/c_(d)) now'],
    ['with signs that show', 'a snake_case name', 'snake_case', 0, 'snake_case'],
    ['in a list', '- one\n- two *three*\n- four', 'two three', 0, 'two *three'],
    ['in code', 'say `a * b` twice', 'a * b', 0, 'a * b'],
  ]
  it.each(cases)('%s', async (_, source, words, nth, quote) => {
    const { found, server } = await find(source, words, nth)
    expect(found).toMatchObject({ anchor: { exact: quote, start: server?.start }, whole: false })
  })

  it('is that of the whole block where it can’t be told', async () => {
    const source = 'Before.\n\nOne &amp; *two* three.\n\nAfter.\n'
    const { found } = await find(source, '& two')
    expect(found).toMatchObject({ anchor: { exact: 'One &amp; *two* three.', start: 9 }, whole: true })
  })

  it('is not words of other formatting that say the same', async () => {
    const source = 'A *wide* 1 and https://wide.example \\* 1'
    const { found } = await find(source, 'e*1')
    expect(found).toMatchObject({ anchor: { exact: source }, whole: true })
  })

  it('goes from one block to another', async () => {
    const source = '# One\n\nTwo *three*\n\nFour'
    const { select } = await pageOf(source)
    const { chosen, server } = select(0, 1, 1, 5)
    expect(sourceAnchor(source, chosen)).toMatchObject({
      anchor: { exact: 'ne\n\nTwo *th', start: server?.start },
      whole: false,
    })
  })

  it('is nothing where there is no source', () => {
    const nowhere = { start: 7, end: null, shown: 'x', chosen: 'x', before: 0 }
    expect(sourceAnchor('One\n\n  ', nowhere)).toBeNull()
  })

  it('is what the server finds, or else the whole block', async () => {
    const word = fc.constantFrom('wide', 'wide', 'margin', 'a', 'of', '🦊', 'snake_case')
    const wrap = fc.constantFrom('', '', '', '*', '**', '`', '~~', '_')
    const inline = fc.oneof(
      fc.tuple(wrap, word).map(([sign, word]) => sign + word + sign),
      fc.tuple(word, word).map(([text, to]) => `[${text}](https://${to}.example/${to})`),
      fc.constantFrom('&amp;', '\\*', '1 < 2', 'https://wide.example'),
    )
    const block = fc
      .tuple(
        fc.constantFrom('', '', '# ', '> ', '- ', '1. '),
        fc.array(inline, { minLength: 1, maxLength: 8 }),
      )
      .map(([sign, words]) => sign + words.join(' '))
    let exact = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        fc.nat(),
        async (all, a, b) => {
          const source = all.join('\n\n')
          const { blocks, select } = await pageOf(source)
          const index = a % blocks.length
          const { shown } = blocks[index]!
          const from = a % shown.length
          const to = from + 1 + (b % (shown.length - from))
          const { chosen, server } = select(index, from, index, to)
          const { anchor, whole } = sourceAnchor(source, chosen)!
          const end = anchor.start + anchor.exact.length
          expect(source.slice(anchor.start, end)).toBe(anchor.exact)
          expect(source.slice(0, anchor.start).endsWith(anchor.prefix)).toBe(true)
          expect(source.slice(end).startsWith(anchor.suffix)).toBe(true)
          expect((anchor.prefix + anchor.suffix).isWellFormed()).toBe(true)
          if (whole) {
            expect(anchor.start).toBeLessThanOrEqual(server!.start)
            expect(end).toBeGreaterThanOrEqual(server!.end)
          } else {
            exact++
            expect({ start: anchor.start, end }).toEqual(server)
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(exact).toBeGreaterThan(200)
  })
})
