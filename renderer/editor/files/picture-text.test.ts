import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { renderMarkdown } from '../../../server/markdown/render.ts'
import { markdownLanguage } from '../markdown-language.ts'
import { describing, pictureAt, type PictureWords } from './picture-text.ts'

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [markdownLanguage] })
function described(doc: string, words: Partial<PictureWords>): string {
  const state = stateOf(doc)
  const picture = pictureAt(state, doc.indexOf('!['))!
  return state.update({ changes: describing(picture, { ...picture, ...words }) }).state.doc.toString()
}

it('a picture is told from its markdown', () => {
  expect(pictureAt(stateOf('x ![a \\[b\\]](files/a.png#width=50% "At \\"six\\"") y'), 2)).toMatchObject({
    alt: 'a [b]',
    address: 'files/a.png',
    width: 50,
    caption: 'At "six"',
  })
  expect(pictureAt(stateOf('words'), 2)).toBeNull()
})

it('what is said of it is written, and nothing else', () => {
  expect(described('![](files/a.png)', { alt: 'a [b]' })).toBe('![a \\[b\\]](files/a.png)')
  expect(described('![a](files/a.png)', { caption: 'At "six"' })).toBe('![a](files/a.png "At \\"six\\"")')
  expect(described('![a](files/a.png "x")', { caption: '' })).toBe('![a](files/a.png)')
  expect(described("![a](files/a.png 'x')", { width: 25 })).toBe("![a](files/a.png#width=25% 'x')")
  expect(described('![a](<files/a b.png#width=25%> "x")', { width: null, caption: 'y' })).toBe(
    '![a](<files/a b.png> "y")',
  )
  const { html } = renderMarkdown(described('![](files/a.png)', { alt: 'b', caption: 'c', width: 75 }))
  expect(html).toMatch(
    /<figure><img [^>]*alt="b" class="width-75"[^>]*><figcaption>c<\/figcaption><\/figure>/,
  )
})
