import { expect, it } from 'vitest'
import { acceptedText } from './accepted-text.ts'

const suggested = (content: string, original_text: string, suggested_text: string, after = '') => {
  const start = content.indexOf(after + original_text) + after.length
  return { original_text, suggested_text, range: { start, end: start + original_text.length } }
}

it('is the text with all that is suggested, also within the same words, and without what no longer fits', () => {
  const content = 'The quick fox\r\njumps.\r\n'
  const all = [
    suggested(content, 'The quick fox', 'The slow fox'),
    suggested(content, 'quick fox', 'quick dog'),
    suggested(content, '', ' high', 'jumps'),
    { original_text: 'gone', suggested_text: 'here', range: { start: 0, end: 4 } },
    { original_text: 'jumps', suggested_text: 'sits', range: null },
  ]
  expect(acceptedText(content, all)).toBe('The slow dog\r\njumps high.\r\n')
  expect(acceptedText(content, [])).toBe(content)
})
