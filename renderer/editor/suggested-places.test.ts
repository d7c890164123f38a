import { ensureSyntaxTree } from '@codemirror/language'
import type { StateCommand } from '@codemirror/state'
import { expect, test } from 'vitest'
import { countedNumber } from './counted-numbers.ts'
import { previewDecorations } from './live-preview.ts'
import { markdownLanguage } from './markdown-language.ts'
import {
  toggleBulletList,
  toggleHeading,
  toggleOrderedList,
  toggleQuote,
  toggleTaskList,
} from './formatting.ts'
import { toggleInline } from './inline-formatting.ts'
import { shownImages } from './remote-images.ts'
import { drawnOwn } from './suggesting/drawn-own.ts'
import { asItReads } from './suggesting/reading.ts'
import { Suggesting } from './suggesting/testing/suggesting.ts'
import { continueMarkup, indent } from './typing.ts'

/** What one sees with the cursor elsewhere: no hidden signs, `•` for a bullet, and before its words how deep a line stands. */
function shown({ state }: Suggesting): string {
  const { doc } = state
  ensureSyntaxTree(state, doc.length, 5_000)
  const away = { range: () => false, line: () => false }
  const drawn = previewDecorations(state, 0, doc.length, away)
  const specOf = ({ value }: (typeof drawn)[number]): Spec => value.spec as Spec
  let read = ''
  for (let at = 0; at <= doc.length; at++) {
    const here = drawn.filter(({ from }) => from === at)
    for (const one of here) read += specOf(one).attributes?.style?.replace(/^--\w+:/, '') ?? ''
    if (here.some((one) => specOf(one).widget)) read += '•'
    const isHidden = drawn.some((one) => specOf(one).class === undefined && one.from <= at && at < one.to)
    if (!isHidden) read += doc.sliceString(at, at + 1)
  }
  return read
}
interface Spec {
  class?: string
  widget?: object
  attributes?: { style?: string }
}

const suggesting = (doc: string, at: number, command: StateCommand) => {
  const own = drawnOwn({ onClick: () => undefined, onKeepHere: () => undefined })
  const text = new Suggesting(doc, [markdownLanguage, shownImages, own]).cursor(at)
  asItReads(command)({ state: text.state, dispatch: (transaction) => text.dispatch(transaction) })
  return text
}

test.each([
  ['- One\n- Two', 8, toggleOrderedList, '1•One\n1- 1. Two'],
  ['1. One\n2. Two', 9, toggleBulletList, '11. One\n12. - Two'],
  ['- One\n- Two', 8, toggleTaskList, '1•One\n1- - [ ] Two'],
  ['- One\n- Two', 8, indent, '1•One\n1-   - Two'],
  ['1. One\n2. Two', 6, continueMarkup, '11. One\n12. \n1•Two'],
  ['Two', 2, toggleQuote, '1> Two'],
  ['Two', 2, toggleHeading(2), '## Two'],
  ['# Two', 3, toggleHeading(2), '# ## Two'],
  ['## Two', 3, toggleHeading(2), '## Two'],
] as const)('what is suggested of the sign in %j is seen in it, at its level', (doc, at, command, seen) => {
  expect(shown(suggesting(doc, at, command))).toBe(seen)
})

test('items are counted as they read with what is suggested', () => {
  const list = '1. One\n2. Two\n3. Three\n4. Four'
  const numbers = (text: Suggesting) =>
    [...text.state.doc.toString().matchAll(/\d+(?=\. )/g)].map(({ 0: written, index }) => {
      const counted = countedNumber(text.state, index)
      return counted === undefined ? 'gone' : `${written}:${counted}`
    })
  expect(numbers(suggesting(list, 6, continueMarkup))).toEqual(['1:1', '2:2', '2:3', '3:4', '4:5'])
  expect(numbers(suggesting(list, 11, indent))).toEqual(['1:1', 'gone', '1:1', '3:2', '4:3'])
  const without = suggesting(list, 0, () => false).delete(7, 14)
  expect(numbers(without)).toEqual(['1:1', 'gone', '3:2', '4:3'])
})

test('signs that come or go with their words are drawn as what they mean', () => {
  const text = suggesting('- One', 5, continueMarkup).type('Two')
  expect(shown(text)).toBe('1•One\n1•Two')
  text.delete(0, 5)
  expect(text.shown).toBe('[-- One][+\n- Two]')
  expect(shown(text)).toBe('1•One\n1•Two')
})

test.each([
  ['One two three', 5, '**', 'One **two** three'],
  ['One two three', 5, '~~', 'One ~~two~~ three'],
  ['One **two** three', 7, '**', 'One **two** three'],
] as const)('what is suggested of emphasis in %j is seen in its marks', (doc, at, mark, seen) => {
  const text = suggesting(doc, at, toggleInline(mark))
  expect(shown(text)).toBe(seen)
  // With words that bring their own, the words tell of it.
  expect(
    shown(
      suggesting(doc, 0, () => false)
        .cursor(0)
        .type('**New** '),
    ),
  ).toMatch(/^New One/)
})
