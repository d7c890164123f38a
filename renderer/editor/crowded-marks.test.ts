import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { crowdsBetween } from './crowded-marks.ts'

const over = (text: string, from = 0, to = text.length) => crowdsBetween(Text.of(text.split('\n')), from, to)

test('What any language puts over a letter is drawn', () => {
  expect(over('e\u0301 क्षि ที่ 👩🏽‍🔬 ' + 'z' + '\u0301\u0316'.repeat(40))).toEqual([])
})

test('A crowd of marks is said, whole, also where only some of it is in view', () => {
  const text = `b\na${'\u0301\u200d'.repeat(150)}c`
  const all = [{ from: 3, to: 303, words: '300 combining marks' }]
  expect(over(text)).toEqual(all)
  expect(over(text, 0, 150)).toEqual(all)
  expect(over(text, 120, 280)).toEqual(all)
  expect(over(text, 304)).toEqual([])
  expect(over('a' + '🏽'.repeat(120), 21)).toEqual([{ from: 1, to: 241, words: '120 combining marks' }])
  expect(over('\u202e'.repeat(1_000))).toMatchObject([{ words: '1,000 invisible characters' }])
})
