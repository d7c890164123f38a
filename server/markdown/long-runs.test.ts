import { expect, it } from 'vitest'
import { SelectionMap } from './selection.ts'
import { readDocument } from './document.ts'
import { defaultLimits } from './render-limits.ts'
import { renderMarkdown } from './render.ts'

const runs = {
  brackets: '['.repeat(50_000),
  'one word': 'AV'.repeat(25_000),
  references: '&lt;&amp;x'.repeat(5_000),
  'an address': `https://a.example/${'AV'.repeat(5_000)}`,
}

for (const [name, text] of Object.entries(runs))
  it(`breaks ${name} that go on for ever, and nothing else of them is another`, () => {
    const { html } = renderMarkdown(`${text}\n`)
    const shown = html.replace(/ [a-z-]+="[^"]*"/g, '')
    for (const piece of shown.split(/<[^>]*>/)) expect(piece.length).toBeLessThan(6_000)
    expect(html.split('<wbr>').length).toBeGreaterThan(10)
    const plain = renderMarkdown(text.slice(0, 900)).html
    expect(plain).not.toContain('<wbr>')
    const map = new SelectionMap(readDocument(text, defaultLimits.maxDepth), {}, defaultLimits)
    const range = { start: text.length - 12, end: text.length }
    const place = map.renderedRange(range)!
    expect(map.sourceRange(place.from, place.to)).toEqual(place.source)
    expect(place.source.end).toBe(text.length)
  })

it('leaves alone what may break anywhere, and long texts of words', () => {
  for (const text of ['漢'.repeat(5_000), 'word '.repeat(5_000), 'ก'.repeat(5_000)])
    expect(renderMarkdown(text).html).not.toContain('<wbr>')
})
