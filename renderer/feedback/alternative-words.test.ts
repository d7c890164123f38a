import { expect, test } from 'vitest'
import { suggestedParts } from './alternative-words.ts'

const parts = (original_text: string, suggested_text: string) =>
  suggestedParts({ original_text, suggested_text, anchor: null, range: null }).map(({ text, look }) =>
    look ? [text, look] : text,
  )

test('what is suggested for the same words reads as it will look', () => {
  expect(parts('a quick look', 'a **slow\nlook** at `it`')).toEqual([
    'a ',
    ['slow look', 'strong'],
    ' at ',
    ['it', 'code'],
  ])
  expect(parts('quick', 'long '.repeat(20))).toEqual([`${'long '.repeat(11)}long…`])
})

test('where no word changes, it says what it does, or shows the signs', () => {
  expect(parts('quick', '**quick**')).toEqual(['Make bold: ', ['quick', 'strong']])
  expect(parts('*quick*', '_quick_')).toEqual(['_quick_'])
})
