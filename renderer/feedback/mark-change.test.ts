import { expect, it } from 'vitest'
import { lookChange, markChange } from './mark-change.ts'
import { suggestionName } from './suggestion-name.ts'

const said = (text: string, original_text: string, suggested_text: string) => {
  const start = text.indexOf(original_text)
  const prefix = text.slice(Math.max(0, start - 32), start)
  const suffix = text.slice(start + original_text.length).slice(0, 32)
  const found = markChange({
    ...{ original_text, suggested_text },
    anchor: { exact: original_text, prefix, suffix, start },
  })
  return found && `${found.does}: ${found.words}`
}

it('says what is changed of the looks of words', () => {
  const text = 'It comes back **soon**, see `code` and [a link](https://a.example).'
  expect(said(text, 'comes back', '**comes back**')).toBe('Make bold: comes back')
  expect(said(text, 'It comes back', 'It _comes_ back')).toBe('Make italic: comes')
  expect(said(text, '**soon**', 'soon')).toBe('Make no longer bold: soon')
  expect(said(text, '`code`', 'code')).toBe('Make no longer code: code')
  expect(said(text, 'comes', '[comes](https://b.example)')).toBe('Link to https://b.example: comes')
  expect(said(text, '[a link](https://a.example)', 'a link')).toBe(
    'Take out the link to https://a.example: a link',
  )
})

it('says which looks words have instead of which', () => {
  const text = 'It comes *back* **soon**, see ***both*** of `them` and _that_.'
  expect(said(text, '*back*', '**back**')).toBe('Make bold instead of italic: back')
  expect(said(text, 'back', '*back*')).toBe('Make bold instead of italic: back')
  expect(said(text, '**soon**', '*soon*')).toBe('Make italic instead of bold: soon')
  expect(said(text, '*back*', '***back***')).toBe('Make bold: back')
  expect(said(text, '***both***', '**both**')).toBe('Make no longer italic: both')
  expect(said(text, '***both***', 'both')).toBe('Make no longer bold and italic: both')
  expect(said(text, '`them`', '**them**')).toBe('Make bold instead of code: them')
  expect(said(text, '_that_', '~~_that_~~')).toBe('Make struck through: that')
  // What shows stays, or can’t be told.
  expect(said(text, '_that_', '*that*')).toBeNull()
  expect(said(text, 'back', '*ba*ck')).toBeNull()
  const look = (original_text: string, suggested_text: string) =>
    lookChange({ original_text, suggested_text, anchor: null })
  expect(look('*old*', '**new words**')).toEqual({
    ...{ does: 'Make bold instead of italic', original: 'old', suggested: 'new words' },
  })
  expect(look('*old*', '*new*')).toBeNull()
  expect(look('*old*', '**new** words')).toBeNull()
})

it('says that lines become code, and are none any longer', () => {
  const code = '```js\nlet a = *b*\n\nlet c\n```'
  const words = 'let a = *b*\n\nlet c'
  expect(said(`Plan\n\n${words}\n`, words, code)).toBe(`Make a code block: ${words}`)
  expect(said(`Plan\n\n${words}\n`, `${words}\n`, `${code}\n`)).toBe(`Make a code block: ${words}`)
  expect(said(`Plan\n\n${code}\n`, code, words)).toBe(`Make plain text: ${words}`)
  expect(said(`Plan\n\n${code}\n`, code, 'let a')).toBeNull()
})

it('says what a line becomes', () => {
  expect(said('Plan\n\nMore', 'Plan', '## Plan')).toBe('Make a heading of level 2: Plan')
  expect(said('Plan\n\nMore', 'Plan\n', '# Plan\n')).toBe('Make a heading of level 1: Plan')
  expect(said('One\n\nTwo words', '', '> ')).toBe('Make a quote: One')
  expect(said('## A **plan**\n', '## A **plan**', 'A **plan**')).toBe('Make plain text: A plan')
  expect(said('- one\n- two', '- two', '1. two')).toBe('Make a numbered item: two')
  expect(said('- [ ] one', '- [ ] one', '- [x] one')).toBe('Tick: one')
})

it('says that a task is ticked or unticked, however much of its line is changed', () => {
  const tick = (was: string, will: string, before: string, after: string) => {
    const start = 100 + before.length
    const anchor = { exact: was, prefix: before, suffix: after, start }
    const suggestion = { original_text: was, suggested_text: will, anchor, author_name: 'Ada' }
    return suggestionName(suggestion as never).replace(/^.*?: /, '')
  }
  expect(tick(' ', 'x', '- [ ] first\n- [', '] second\n')).toBe('tick “second”')
  expect(tick('x', ' ', '- [ ] first\n- [', '] **second**\n')).toBe('untick “second”')
  expect(tick('[ ]', '[x]', 'one\n\n  1. ', ' second')).toBe('tick “second”')
  expect(tick(' ', 'x', '- [', '] one two three four five six seven')).toBe(
    'tick “one two three four five six …”',
  )
  expect(tick('x', 'X', '\n- [', '] second')).toBe('“x” becomes “X”')
  expect(tick(' ', 'x', 'see [', '] second')).not.toMatch(/tick/)
})

it('says what becomes of an address, a picture and a row', () => {
  const text =
    'See [a link](https://a.example/a).\n\n![Hill](hill.png)\n\n| a | b |\n| --- | --- |\n| c | d |'
  expect(said(text, 'example/a', 'example/b')).toBe(
    'Link to https://a.example/b instead of https://a.example/a: a link',
  )
  expect(said(text, '![Hill](hill.png)\n\n', '')).toBe('Take out the picture: Hill')
  expect(said(text, '\n| c | d |', '')).toBe('Take out a row: c · d')
  expect(said('> One\n> two', '> One\n> two', 'One\ntwo')).toBe('Make plain text: One two')
})

it('says what becomes of the ends of lines and of white space', () => {
  const heard = (text: string, original_text: string, suggested_text: string) => {
    const start = text.indexOf(original_text)
    const prefix = text.slice(0, start)
    const anchor = { exact: original_text, prefix, suffix: text.slice(start + original_text.length), start }
    const suggestion = { original_text, suggested_text, anchor, author_name: 'Ada' }
    return suggestionName(suggestion as never).replace(/^.*?: /, '')
  }
  expect(heard('One two', ' ', '\n\n')).toBe('split the paragraph behind “One”')
  expect(heard('One two', 'One two', 'One\n\ntwo')).toBe('split the paragraph behind “One”')
  expect(heard('One\n\ntwo', '\n\n', ' ')).toBe('join the paragraph with the next behind “One”')
  expect(heard('- one\n- two', '\n- ', ' ')).toBe('join the item with the next behind “one”')
  expect(heard('One\n\n\ntwo', '\n\n\n', '\n\n')).toBe('take out an empty line behind “One”')
  expect(heard('One  two', '  ', ' ')).toBe('take out a space behind “One”')
  // Words change as well.
  expect(heard('One, two more', ', two', '.\n\nTwo')).toBe('split the paragraph, “, two” becomes “. Two”')
  expect(heard('One two more', ' two', '.\n\n')).toMatch(/^split the paragraph, /)
  expect(heard('- one, two\n- three', ', ', '.\n- ')).toMatch(/^split the item, /)
  expect(heard('One.\n\nTwo more', '.\n\nTwo', ', two')).toBe(
    'join the paragraph with the next, “. Two” becomes “, two”',
  )
  expect(heard('One two', ' two', '\n\nthree')).toMatch(/^“two” becomes “three”$/)
  expect(heard('One two more', ' two', '.\n\nA\n\nB')).toMatch(/^“two” becomes “. A B”$/)
})

it('says nothing where words change too, or signs could be anything', () => {
  expect(said('one two', 'one', '**two**')).toBeNull()
  expect(said('2 3', '2 3', '2 * 3')).toBeNull()
  expect(said('see one two', 'one', '# one')).toBeNull()
  expect(said('1. one', '1. one', '2. one')).toBeNull()
  expect(said('a `b` c', 'b', '*b*')).toBeNull()
  expect(said('One', 'One', 'One\n\n# Two')).toBeNull()
})

it('is heard as well', () => {
  const anchor = { exact: 'back', prefix: 'It comes ', suffix: ' soon', start: 9 }
  const suggestion = { original_text: 'back', suggested_text: '**back**', anchor, author_name: 'Ada' }
  expect(suggestionName(suggestion as never)).toMatch(/: make bold “back”$/)
})

it('says what the text says of languages, sides, underlined headings and columns', () => {
  expect(said('One\n\n```js\nlet a\n```', 'js\nlet', 'ts\nlet')).toBe('Language js → ts: ')
  expect(said('| a | b |\n| - | - |\n', '| a | b |\n| - | - |', '| a | b |\n| :-: | -: |')).toBe(
    'Alignment none → centre, none → right: ',
  )
  expect(said('One\n\nTitle\n\nTwo', 'Title\n', 'Title\n===\n')).toBe('Make a heading of level 1: Title')
  expect(said('One\n\nTitle\n---\n', '---', '===')).toBe('Make a heading of level 1: Title')
  expect(said('Title\n---\n', '\n---', '')).toBe('Make plain text: Title')
  expect(said('Title\n\nTwo', 'Title\n', 'Title\n\n---\n')).toBeNull()
  const table = '| a | b |\n| - | - |\n| c | d |'
  expect(said(table, table, '| a | e | b |\n| - | - | - |\n| c | f | d |')).toBe('Put in a column: e\nf')
  expect(said(table, table, '| b |\n| - |\n| d |')).toBe('Take out a column: a\nc')
  expect(said(table, table, '| a | e | b |\n| - | - | - |\n| c | f | g |')).toBeNull()
})

it('says what words are in no longer, besides how they change', () => {
  const look = (original_text: string, suggested_text: string) =>
    lookChange({ original_text, suggested_text, anchor: null })
  expect(look('**one two**', 'one three')).toEqual({
    ...{ does: 'Make no longer bold', original: 'one two', suggested: 'one three' },
  })
  expect(look('one', '`two`')).toEqual({ does: 'Make code', original: 'one', suggested: 'two' })
  expect(look('[one](https://a.example)', 'two')?.does).toBe('Take out the link to https://a.example')
  expect(look('**one**', '**two**')).toBeNull()
})

it('says of items that they are moved in and out, whatever sign they have', () => {
  expect(said('- one\n- two', '- two', '  - two')).toBe('Move in: two')
  expect(said('1. one\n2. two **three**', '2. two', '   1. two')).toBe('Move in: two three')
  expect(said('- one\n\t- two\n\t- three', '\t- two\n\t- three', '- two\n- three')).toBe(
    'Move out: two three',
  )
  const moved = (prefix: string, original_text: string, suggested_text: string, suffix = '- two\n') =>
    suggestionName({
      ...{ original_text, suggested_text, author_name: 'Ada' },
      anchor: { exact: original_text, prefix, suffix, start: 90 },
    } as never).replace(/^.*?: /, '')
  expect(moved('a\n- one\n', '', '  ')).toBe('move in “two”')
  expect(moved('a\n- one\n  ', '', '  ')).toBe('move in “two”')
  expect(moved('a\n- one\n', '\t', '')).toBe('move out “two”')
  expect(moved('a one\n', '', '  ', 'two\n')).toMatch(/^put in a space/)
  expect(moved('   ', '', '  ')).toMatch(/^put in a space/)
})

it('says of whole blocks what they are, and their words without signs', () => {
  const put = (insert: string, prefix = 'One.', suffix = '\n\nTwo') => {
    const anchor = { exact: '', prefix, suffix, start: prefix.length }
    const found = markChange({ original_text: '', suggested_text: insert, anchor })
    return found && `${found.does}: ${found.words}`
  }
  expect(put('\n\n## A *head*')).toBe('Put in a heading of level 2: A head')
  expect(put('\n\n---')).toBe('Put in a divider: ')
  expect(put('\n\n| a | b | c |\n| --- | --- | --- |\n| d | e | f |')).toBe(
    'Put in a table of 3 columns: a · b · c\nd · e · f',
  )
  expect(put('\n\n```js\nlet a\n```')).toBe('Put in a block of code: let a')
  expect(put('\n\n## One\n\ntwo\n\nthree\n\n- four\n- [x] five')).toBe(
    'Put in a heading of level 2, 2 paragraphs, and a list of 2 items: One\ntwo\nthree\nfour\n☑ five',
  )
  expect(put('- two\n', '- one\n', '- three')).toBe('Put in an item: two')
  expect(put('\n\nA paragraph.')).toBeNull()
  expect(put('# one', 'see ', ' two')).toBeNull()
  expect(said('One\n\n## Two\n\nThree', '\n\n## Two', '')).toBe('Take out a heading of level 2: Two')
})
