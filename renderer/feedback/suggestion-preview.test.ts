import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { wholeMarkup } from '../../server/markdown/whole-markup.ts'
import { suggestionOn } from './made-suggestion.ts'
import { suggestionPreview } from './suggestion-preview.ts'

const source = `# Title

Intro with **bold words** in it, see [there][far].

> A quote of somebody

| Name | Value |
| --- | --- |
| one | two |
| *three* | four |

1. first item
2. second item

After it[^1] all.

[^1]: The note, of \`some\` words.

    And a second paragraph.

[far]: https://example.org
`
/** The words, without the numbers of footnotes. */
const said = (html: string) =>
  html
    .replace(/<sup[\s\S]*?<\/sup>/g, '')
    .replace(/<[^>]*>|↩\uFE0E?/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ')

function preview(first: string, last: string, words: string) {
  const range = { start: source.indexOf(first), end: source.indexOf(last) + last.length }
  return suggestionPreview(source, range)(suggestionOn(source, range)(words))
}

test('a footnote reads as it will', () => {
  expect(said(preview('The note', 'The note', 'A word'))).toBe(
    'A word, of some words. And a second paragraph.',
  )
  expect(said(preview('The note', 'The note', ''))).toBe(', of some words. And a second paragraph.')
  expect(preview('second paragraph', 'second paragraph', '*end*')).toContain('<em>end</em>')
})

test('a table reads without the row that is left out', () => {
  const html = preview('one', 'two', '')
  expect(html.match(/<tr>/g)).toHaveLength(2)
  expect(said(html)).toBe('Name Value three four')
})

test('a link reads with the address that stays', () =>
  expect(preview('Intro', 'Intro', 'Words')).toContain('href="https://example.org"'))

test('what becomes one for want of an empty line reads as one', () => {
  const cut = source.indexOf('\n\n| Name') + 1
  const range = { start: cut, end: source.indexOf('irst item') }
  expect(said(suggestionPreview(source, range)({ range, words: '' }))).toBe(
    'A quote of somebody irst item second item',
  )
})

test('what leaves a footnote reads outside of it', () => {
  const start = source.indexOf('    And a')
  const range = { start, end: start + 4 }
  const html = suggestionPreview(source, range)({ range, words: '' })
  expect(said(html)).toBe('And a second paragraph. The note, of some words.')
})

test('an address of a link that still is one shows nothing', () => {
  const start = source.indexOf(' https')
  const range = { start, end: start + 4 }
  expect(suggestionPreview(source, range)({ range, words: '' })).toBe('')
})

test('whatever is left out, the preview says what then stands there', () => {
  const point = fc.nat({ max: source.length })
  let offered = 0
  fc.assert(
    fc.property(point, point, (a, b) => {
      if (a === b) return
      const range = wholeMarkup(source, { start: Math.min(a, b), end: Math.max(a, b) })
      const made = suggestionOn(source, range)('')
      if (made.problem) return
      offered++
      const left = source.slice(0, made.range.start) + source.slice(made.range.end)
      expect(` ${said(renderMarkdown(left).html)} `).toContain(said(suggestionPreview(source, range)(made)))
    }),
    { numRuns: 500 },
  )
  expect(offered).toBeGreaterThan(50)
})

test('formulas are their sources where the text has them, to be drawn there', () => {
  const text = 'As $x^2$ is.\n\n$$\na < b\n$$\n\n```math\nc\n```\n'
  const range = { start: text.indexOf('is'), end: text.indexOf('is') + 2 }
  const shown = suggestionPreview(text, { start: 0, end: text.length })({ range, words: 'was' })
  const source = (tex: string) => `<code class="maths-source">${tex}</code>`
  expect(shown).toContain(`As <span class="maths">${source('$x^2$')}</span> was.`)
  const alone = '<div class="maths" tabindex="0" role="group" aria-label="Formula">'
  expect(shown).toContain(`${alone}${source('$$a &lt; b$$')}</div>`)
  expect(shown).toContain(`${alone}${source('$$c$$')}</div>`)
})
