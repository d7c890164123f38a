import { expect, test } from 'vitest'
import { anchorAt } from './anchor.ts'
import { placeDecided } from './decided-suggestion.ts'
import { applySuggestions } from '../suggestion.ts'

const text = 'A proof is read. A proof is marked. A proof is sent back in a week, and read again.\n'

/** What accepting makes of the text, and where it is then shown. */
function accepted(original: string, suggested: string, from = 0) {
  const start = text.indexOf(original, from)
  const anchor = anchorAt(text, start, start + original.length)
  const suggestion = {
    original_text: original,
    suggested_text: suggested,
    anchor,
    status: 'accepted' as const,
  }
  const range = { start, end: start + original.length }
  const { content } = applySuggestions(text, [{ ...suggestion, range }])
  const words = (later: string) => {
    const range = placeDecided(later, suggestion)
    return range && [range.start, later.slice(range.start, range.end)]
  }
  return { content, words }
}

test('accepted words are shown where they were put, among others like them', () => {
  const { content, words } = accepted('marked', 'read')
  expect(words(content)).toEqual([text.indexOf('marked'), 'read'])
  expect(words(`A line before.\n\n${content}`)).toEqual([16 + text.indexOf('marked'), 'read'])
})

test('what was left out is shown by what stands on both sides of it', () => {
  const { content, words } = accepted(' back', '')
  expect(content).toContain('is sent in a week')
  expect(words(content)![1]).toContain('sent in a week')
})

test('what was left out is still, where something else has come in its place, and not where it stands again', () => {
  const { content, words } = accepted(' A proof is marked.', '')
  const seam = 'A proof is read.'
  expect(words(content.replace(seam, `${seam} Another one.`))).toEqual([0, seam])
  expect(words(content.replace(seam, `${seam} Another one. A proof is marked.`))).toBeNull()
  expect(words(content.replace(seam, `${seam} ${'Another one. '.repeat(200)}`))).toBeNull()
  expect(words(content.replace('A proof is sent', 'It was sent'))).toBeNull()
})

test('a rejected one is shown at the words that stayed', () => {
  const start = text.indexOf('in a week')
  const anchor = anchorAt(text, start, start + 9)
  const suggestion = {
    original_text: 'in a week',
    suggested_text: 'soon',
    anchor,
    status: 'rejected' as const,
  }
  expect(placeDecided(text, suggestion)).toEqual({ start, end: start + 9 })
})

test('words that were changed since, or stand in other surroundings, are shown nowhere', () => {
  const { content, words } = accepted('in a week', 'soon')
  expect(words(content.replace('soon', 'late'))).toBeNull()
  expect(words('It will come soon.\n')).toBeNull()
  expect(
    placeDecided(text, { original_text: 'A proof', suggested_text: 'One', anchor: null, status: 'rejected' }),
  ).toBeNull()
})
