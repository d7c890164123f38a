import { EditorState, type StateCommand } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { endEmphasis } from './emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'
import { continueMarkup, deleteMark, indent, outdent } from './typing.ts'

/** A text in which `|` is the cursor, or `‹` and `›` stand around what is selected, after some commands. */
function run(marked: string, ...commands: StateCommand[]): string {
  const start = marked.search(/[‹|]/)
  const doc = marked.replace(/[‹|›]/g, '')
  const end = marked.includes('›') ? marked.replace('‹', '').indexOf('›') : start
  let state = EditorState.create({
    doc,
    selection: { anchor: start, head: end },
    extensions: [markdownLanguage],
  })
  for (const command of commands) command({ state, dispatch: (transaction) => (state = transaction.state) })
  const { from, to } = state.selection.main
  const text = state.doc.toString()
  if (from === to) return `${text.slice(0, from)}|${text.slice(from)}`
  return `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`
}
const enter = continueMarkup

describe('Enter in emphasis', () => {
  it('ends it where nothing but its end follows', () => {
    expect(run('x **one|**', endEmphasis)).toBe('x **one**|')
    expect(run('- ***one|***', endEmphasis, enter)).toBe('- ***one***\n- |')
    expect(run('**one *two|***', endEmphasis)).toBe('**one *two***|')
  })
  it('takes marks around nothing away', () => {
    expect(run('x **|**', endEmphasis)).toBe('x |')
    expect(run('- **|**', endEmphasis, enter)).toBe('|')
  })
  it('leaves everything else', () => {
    expect(run('**one| two**', endEmphasis)).toBe('**one| two**')
    expect(run('one|', endEmphasis)).toBe('one|')
    expect(run('`**|**`', endEmphasis)).toBe('`**|**`')
  })
})

describe('Enter in lists and quotes', () => {
  it('goes on with the next item', () => {
    expect(run('- one|', enter)).toBe('- one\n- |')
    expect(run('9. nine|', enter)).toBe('9. nine\n10. |')
    expect(run('  * [x] done|', enter)).toBe('  * [x] done\n  * [ ] |')
    expect(run('> said|', enter)).toBe('> said\n> |')
    expect(run('> - one|', enter)).toBe('> - one\n> - |')
  })
  it('splits an item at the cursor', () => expect(run('- one| two', enter)).toBe('- one\n- | two'))
  it('numbers the items behind anew', () => {
    expect(run('1. a|\n2. b\n3. c\n', enter)).toBe('1. a\n2. |\n3. b\n4. c\n')
    expect(run('9. a|\n10. b\n    - in b\n', enter)).toBe('9. a\n10. |\n11. b\n    - in b\n')
    expect(run('8. a|\n9. b\n   - in b\n', enter)).toBe('8. a\n9. |\n10. b\n    - in b\n')
  })
  it('keeps the one number that all items of a list have', () =>
    expect(run('1. a\n1. b|\n1. c\n', enter)).toBe('1. a\n1. b\n1. |\n1. c\n'))
  it('leaves a list from an empty item, so that what is typed is no part of it', () => {
    expect(run('- one\n- |', enter)).toBe('- one\n\n|')
    expect(run('- one\n\n- |', enter)).toBe('- one\n\n|')
    expect(run('1. one\n2. |', enter)).toBe('1. one\n\n|')
    expect(run('- |', enter)).toBe('|')
    expect(run('- one\n- |\n- two', enter)).toBe('- one\n\n|\n\n- two')
  })
  it('leaves a task list from an empty task', () => {
    expect(run('- [ ] one\n- [ ] |', enter)).toBe('- [ ] one\n\n|')
    expect(run('- [x] one|', enter, enter)).toBe('- [x] one\n\n|')
  })
  it('leaves a quote from an empty line of it, one at a time', () => {
    expect(run('> said\n> |', enter)).toBe('> said\n\n|')
    expect(run('> > said|', enter, enter)).toBe('> > said\n>\n> |')
    expect(run('> > said|', enter, enter, enter)).toBe('> > said\n>\n|')
  })
  it('leaves a list within a quote and stays in the quote', () => {
    expect(run('> - one\n> - |', enter)).toBe('> - one\n>\n> |')
    expect(run('> - one|', enter, enter, enter)).toBe('> - one\n>\n|')
  })
  it('makes an empty nested item one of the list around it', () => {
    expect(run('- one\n  - |', enter)).toBe('- one\n- |')
    expect(run('1. one\n   - two\n   - |\n2. three', enter)).toBe('1. one\n   - two\n2. |\n3. three')
    expect(run('- [ ] one\n  - two|', enter, enter)).toBe('- [ ] one\n  - two\n- [ ] |')
    expect(run('- one\n  - two|', enter, enter, enter)).toBe('- one\n  - two\n\n|')
  })
  it('leaves code alone', () => expect(run('```\n- a|\n```', enter)).toBe('```\n- a|\n```'))
})

describe('Backspace', () => {
  it('removes a whole mark', () => {
    expect(run('- |one', deleteMark)).toBe('|one')
    expect(run('- [ ] |one', deleteMark)).toBe('- |one')
    expect(run('> - |one', deleteMark)).toBe('> |one')
  })
  it('makes a heading words', () => {
    expect(run('# |h', deleteMark)).toBe('|h')
    expect(run('a\n\n###  |h ##', deleteMark)).toBe('a\n\n|h')
    expect(run('- # |h', deleteMark)).toBe('- |h')
    expect(run('> ## |h', deleteMark, deleteMark)).toBe('|h')
  })
  it('takes words out of one quote', () => {
    expect(run('> |a', deleteMark)).toBe('|a')
    expect(run('> > |a', deleteMark)).toBe('> |a')
    expect(run('- a\n\n  > |b', deleteMark)).toBe('- a\n\n  |b')
    expect(run('> - |a', deleteMark, deleteMark)).toBe('|a')
  })
  it('is left to others elsewhere', () => {
    for (const text of ['# h|', '#|', '|# h', 'a #| b', '```\n# |h\n```', '> a|', '- - |-', '    > |a'])
      expect(run(text, deleteMark)).toBe(text)
  })
})

describe('Tab', () => {
  it('makes an item part of the one before, with all that belongs to it', () => {
    expect(run('- a\n- b|\n- c', indent)).toBe('- a\n  - b|\n- c')
    expect(run('- a\n- b|\n  more\n  - c\n- d', indent)).toBe('- a\n  - b|\n    more\n    - c\n- d')
    expect(run('- [ ] a\n- [ ] |', indent)).toBe('- [ ] a\n  - [ ] |')
    expect(run('> - a\n> - b|', indent)).toBe('> - a\n>   - b|')
  })
  it('numbers both lists anew', () => {
    expect(run('1. a\n2. b|\n3. c\n4. d', indent)).toBe('1. a\n   1. b|\n2. c\n3. d')
    expect(run('1. a\n   1. x\n2. b|\n3. c', indent)).toBe('1. a\n   1. x\n   2. b|\n2. c')
    expect(run('10. a\n11. b|', indent)).toBe('10. a\n    1. b|')
  })
  it('goes on with the list that is there', () =>
    expect(run('1. a\n   - x\n2. b|\n3. c', indent)).toBe('1. a\n   - x\n   - b|\n2. c'))
  it('moves all items that are selected', () =>
    expect(run('1. a\n2. ‹b\n3. c›\n4. d', indent)).toBe('1. a\n   1. ‹b\n   2. c›\n2. d'))
  it('leaves the first item, which has none before it', () =>
    expect(run('- a|\n- b', indent)).toBe('- a|\n- b'))
  it('types two spaces elsewhere, in code too', () => {
    expect(run('text|', indent)).toBe('text  |')
    expect(run('```\n- a|\n```', indent)).toBe('```\n- a  |\n```')
  })
})

describe('Shift+Tab', () => {
  it('takes back what Tab did', () => {
    for (const text of [
      '- a\n- b|\n- c',
      '1. a\n2. b|\n3. c',
      '1. a\n2. b|\n   - x\n3. c',
      '> - a\n> - b|',
    ]) {
      expect(run(text, indent, outdent)).toBe(text)
    }
  })
  it('makes what follows part of the item', () =>
    expect(run('1. a\n   1. b|\n   2. c\n2. d', outdent)).toBe('1. a\n2. b|\n   1. c\n3. d'))
  it('takes the mark of the list it comes to', () => {
    expect(run('1. a\n   - b|\n2. c', outdent)).toBe('1. a\n2. b|\n3. c')
    expect(run('- a\n  1. b|', outdent)).toBe('- a\n- b|')
  })
  it('leaves an item that is in no other', () => expect(run('- a|', outdent)).toBe('- a|'))
})
