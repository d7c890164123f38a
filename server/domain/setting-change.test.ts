import { expect, it } from 'vitest'
import { opensCode, settingChange } from './setting-change.ts'

const said = (...change: Parameters<typeof settingChange>) => settingChange(...change)?.words ?? null

it('says what becomes of the language of code', () => {
  expect(said('One\n\n```', 'js', 'ts', '\nlet a\n```')).toBe('language js → ts')
  expect(said('', '```js', '```ts', '\nlet a\n```')).toBe('language js → ts')
  expect(said('- a\n\n  ```j', 's', 'son', '\n  let a\n')).toBe('language js → json')
  expect(said('', '~~~js\n', '~~~\n', 'let a\n~~~')).toBe('language js → none')
  expect(said('One\n\n```', '', 'ts', '\nlet a\n```')).toBe('language none → ts')
  expect(said('', '```js', '```js title=x', '\nlet a\n```')).toBe('')
})

it('says what becomes of the sides at which cells stand', () => {
  const head = '| a | b |\n| '
  expect(said(head, '---', ':--:', ' | --- |\n| c | d |')).toBe('alignment none → centre')
  expect(said(head, '-', '-:', ' | - |')).toBe('alignment none → right')
  expect(said('| a | b |\n', '| - | -: |\n', '| :- | - |\n', '| c | d |')).toBe(
    'alignment none → left, right → none',
  )
  expect(said(head, '---', '-', ' | --- |')).toBe('')
})

it('is nothing of other lines', () => {
  for (const [before, original, suggested, after] of [
    ['One ', 'two', 'three', ''],
    ['- ', '-', '*', ' a'],
    ['| a | ', '-', 'b', ' |'],
    ['let a\n```', '', '\n\nMore', '\n'],
    ['```js', '', '\nlet a', '\nlet b'],
    ['a ```', 'js', 'ts', '``` b'],
    ['let a\n```', '', 'x', '\n\nMore'],
  ] as const)
    expect(said(before, original, suggested, after)).toBeNull()
  expect(opensCode('let a\n', '```', '\n\nMore')).toBe(false)
})
