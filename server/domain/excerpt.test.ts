import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptedFrom, excerptOf } from './excerpt.ts'

test.each([
  ['The harbour froze.', 'The harbour froze.'],
  [
    '# On proofs\n\nA **galley** is the _draft_ that\ngoes [out](https://example.org).\n',
    'A galley is the draft that goes out.',
  ],
  ['On proofs\n=========\r\n\r\nA galley.', 'A galley.'],
  ['---\ntitle: On proofs\ndate: 2026-01-01\n---\n\nA galley.', 'A galley.'],
  ['+++\ntitle = "On proofs"\n+++\nA galley.', 'A galley.'],
  ['> Said\n> twice\n\n- [x] done\n- to do\n1. first', 'Said twice done to do first'],
  ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
  ['<!-- not\nsaid -->\nSaid &amp; done<br>', 'Said & done'],
  ['***\n\n```js\nlet a_b = 1\n```', 'let a_b = 1'],
  ['Notes[^1] here\n\n[^1]: Not this\n[ref]: https://example.org', 'Notes here'],
  ['# On proofs\n\n## What they are\n', 'What they are'],
  ['# On proofs', ''],
  ['![A boat](boat.png)', 'A boat'],
  ['- - -\n-40 degrees', '-40 degrees'],
  ['', ''],
])('%j begins with %j', (text, excerpt) => {
  expect(excerptOf(text, 'On proofs')).toBe(excerpt)
})

test('ends with a word', () => {
  const excerpt = excerptOf('harbour '.repeat(400), '')
  expect(excerpt).toMatch(/^(?:harbour )+harbour…$/)
  expect(excerpt.length).toBeLessThanOrEqual(200)
})

test('front matter that goes on beyond what is read says nothing', () => {
  expect(excerptOf(`---\ntitle: x\n${'key: value\n'.repeat(400)}`.slice(0, excerptedFrom), '')).toBe('')
})

test('is short, well-formed and on one line, whatever the text', () => {
  const markup = fc.constantFrom(
    '*',
    '`',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '\\',
    '#',
    '-',
    '|',
    '\n',
    '&',
    ';',
    '\ud83d',
    '\0',
    ' ',
    'word',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(markup, fc.string({ unit: 'binary' })), { maxLength: 400 }), (parts) => {
      const excerpt = excerptOf(parts.join(''), '')
      expect(excerpt.length).toBeLessThanOrEqual(200)
      expect(excerpt.isWellFormed()).toBe(true)
      expect(excerpt).not.toMatch(/[\r\n]/)
    }),
  )
})
