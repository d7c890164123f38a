import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchHits } from './search-hits.ts'

const shown = (text: string, query: string) =>
  searchHits(text, query)
    .toReversed()
    .reduce(
      (all, { start, end }) => `${all.slice(0, start)}‹${all.slice(start, end)}›${all.slice(end)}`,
      text,
    )

test.each([
  ['The harbour froze; harbours do.', 'harbour ', 'The ‹harbour› froze; ‹harbour›s do.'],
  ['The harbour froze; harbours do.', '"harbour"', 'The ‹harbour› froze; harbours do.'],
  ['The Harbour froze; ARBOURS do.', 'arbou', 'The H‹arbou›r froze; ‹ARBOURS› do.'],
  [
    'Crème brûlée, cre\u0300me bru\u0302le\u0301e',
    'rule',
    'Crème b‹rûlé›e, cre\u0300me b‹ru\u0302le\u0301›e',
  ],
  ['bananana', 'ana', 'b‹ana›n‹ana›'],
  ['Straßenbahn', 'ßen', 'Stra‹ßen›bahn'],
  ['Κόσμος', 'όσμ', 'Κ‹όσμ›ος'],
  ['a harbour', 'ar', 'a harbour'],
  ['The harbour froze; harbours do.', 'harb', 'The ‹harbour› froze; ‹harbours› do.'],
  ['Crème brûlée', 'BRULEE creme ', '‹Crème› ‹brûlée›'],
  ['the quick brown fox, quick', '"quick brown"', 'the ‹quick brown› fox, quick'],
  ['a well-known, well known word', 'well-known ', 'a ‹well-known›, ‹well known› word'],
  ['東京都に住む', '京都', '東‹京都›に住む'],
  ['Γειά σου Κόσμος', 'κοσμοσ ', 'Γειά σου ‹Κόσμος›'],
  ['one two three', 'two three', 'one ‹two› ‹three›'],
  ['<b>bold</b> & co', 'b', '<‹b›>‹bold›</‹b›> & co'],
  ['nothing here', 'else', 'nothing here'],
  ['nothing here', '  "" - ', 'nothing here'],
])('%j is marked for %j', (text, query, marked) => {
  expect(shown(text, query)).toBe(marked)
})

test('marks are in order, apart and within the text, whatever is looked for', () => {
  const some = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'a',
      'a b',
      '"a',
      '東',
      'สวัสดี',
      'é',
      ' ',
      'harbour',
      'arbo',
      'ΚΌΣΜΟΣ',
      '\u1112\u1161\u11ab',
    ),
  )
  fc.assert(
    fc.property(fc.array(some), fc.array(some), (text, query) => {
      const whole = text.join('')
      let last = -1
      for (const { start, end } of searchHits(whole, query.join(''))) {
        expect(start).toBeGreaterThan(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(whole.length)
        last = end
      }
    }),
  )
})
