import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { lineStart } from './line-start.ts'
import { markdownLanguage } from './markdown-language.ts'

/** A text in which `|` is the cursor, after Home was pressed so often; `‹` is where the row that is seen begins. */
function home(marked: string, times = 1): string {
  const text = marked.replace('‹', '')
  const at = text.indexOf('|')
  const doc = text.replace('|', '')
  const row = marked.replace('|', '').indexOf('‹')
  const state = EditorState.create({ doc, extensions: [markdownLanguage] })
  let head = at
  for (let i = 0; i < times; i++)
    head = lineStart(state, head, row >= 0 && row <= head ? row : doc.lastIndexOf('\n', at - 1) + 1)
  return `${doc.slice(0, head)}|${doc.slice(head)}`
}

describe('Home', () => {
  it('goes to the start of the words, behind what they are marked with', () => {
    expect(home('- one|')).toBe('- |one')
    expect(home('a\n\n  10. one|')).toBe('a\n\n  10. |one')
    expect(home('- [ ] one|')).toBe('- [ ] |one')
    expect(home('> one|')).toBe('> |one')
    expect(home('> - [x] one|')).toBe('> - [x] |one')
    expect(home('- > one|')).toBe('- > |one')
    expect(home('## one|')).toBe('## |one')
    expect(home('> # one|')).toBe('> # |one')
    expect(home('  one|')).toBe('  |one')
  })
  it('goes to the line’s start from there, and back', () => {
    for (const text of ['- one|', '1. one|', '- [ ] one|', '> one|', '# one|']) {
      expect(home(text, 2)).toBe(`|${text.replace('|', '')}`)
      expect(home(text, 3)).toBe(home(text))
    }
    expect(home('- [| ] one')).toBe('- [ ] |one')
    expect(home('-| [ ] one')).toBe('- [ ] |one')
    expect(home('- [x]|')).toBe('|- [x]')
  })
  it('goes to where the row begins first', () => {
    expect(home('- one two ‹three f|our')).toBe('- one two |three four')
    expect(home('- one two ‹three f|our', 2)).toBe('- |one two three four')
    expect(home('- one two ‹three f|our', 3)).toBe('|- one two three four')
  })
  it('takes no mark for one that is none', () => {
    expect(home('one|')).toBe('|one')
    expect(home('#one|')).toBe('|#one')
    expect(home('[ ] one|')).toBe('|[ ] one')
    expect(home('*one*|')).toBe('|*one*')
    expect(home('- - -|')).toBe('|- - -')
    expect(home('```\n# one|\n```')).toBe('```\n|# one\n```')
    expect(home('a\n\n    - one|')).toBe('a\n\n    |- one')
  })
})
