import { describe, expect, it } from 'vitest'
import { asDrawn } from '../editor/read-line.ts'
import { suggestedPieces } from '../editor/suggesting/suggested-pieces.ts'
import { shownPieces, shownWords } from './shown-pieces.ts'

const piecesOf = (original_text: string, suggested_text: string, shown: string) => {
  const said = shown.replace(/\s+/g, '')
  const pieces = suggestedPieces(original_text, suggested_text)
  return shownPieces({ original_text, suggested_text }, pieces, said).map(
    ({ from, to, words, at, side }) => [said.slice(from, to), words, `${side} ${said[at]}`] as const,
  )
}

describe('what a suggestion changes of the words that show', () => {
  it('is told word by word, across signs that don’t show', () => {
    expect(
      piecesOf(
        'The **quick** [brown](https://a.example) fox',
        'The **slow** [red](https://a.example) fox',
        'The quick brown fox',
      ),
    ).toEqual([
      ['quick', 'slow', 'behind k'],
      ['brown', 'red', 'behind n'],
    ])
  })

  it('is told in headings, lists and tables', () => {
    expect(piecesOf('## How it goes', '## How it went', 'How it goes')).toEqual([
      ['goes', 'went', 'behind s'],
    ])
    expect(piecesOf('- one\n- two', '- one\n- three', 'one\ntwo')).toEqual([['two', 'three', 'behind o']])
    expect(piecesOf('| a | b |', '| a | c |', 'a b')).toEqual([['b', 'c', 'behind b']])
    expect(piecesOf('- [x] one', '- [x] one\n- [ ] two', 'one')).toEqual([['', 'two', 'behind e']])
  })

  it('is told in footnotes, which show without their names', () => {
    expect(piecesOf('[^1]: The old words.', '[^1]: The new words.', 'The old words.')).toEqual([
      ['old', 'new', 'behind d'],
    ])
    expect(piecesOf('[^note]: As **ever**, see[^2].', '[^note]: As **never**.', 'As ever, see2.')).toEqual([
      ['ever', 'never', 'behind r'],
      [',see2', '', 'behind 2'],
    ])
    // Of named ones only the page knows the number.
    expect(piecesOf('Note here[^n] too', 'Note here too', 'Note here1 too')).toEqual([['1', '', 'behind 1']])
  })

  it('is nothing of a task’s box and a link’s address', () => {
    const words = (before: string, after: string, shown: string) =>
      piecesOf(before, after, shown).map(([taken, put]) => taken + put)
    expect(words('- [ ] do it', '- [x] do it', 'do it')).toEqual([''])
    expect(words('[link](https://a.example/a)', '[link](https://a.example/b)', 'link')).toEqual([''])
  })

  it('is told in words of a line that sets the language of code or sides of cells', () => {
    expect(piecesOf('```js\nlet *a*\n```', '```ts\nlet *b*\n```', 'let *a*')).toEqual([
      ['', 'language js → ts', 'before l'],
      ['a', 'b', 'behind a'],
    ])
    expect(
      piecesOf('| a | b |\n| --- | --- |\n| c | d |', '| a | b |\n| :--: | --- |\n| c | e |', 'a b c d'),
    ).toEqual([
      ['', 'alignment none → centre', 'behind b'],
      ['d', 'e', 'behind d'],
    ])
  })

  it('puts words beside those that they belong to', () => {
    expect(piecesOf('jumps over', 'jumps high over', 'jumps over')).toEqual([
      ['', expect.stringMatching(/high/), expect.any(String)],
    ])
    expect(piecesOf('over', 'all over', 'over')).toEqual([['', 'all ', 'before o']])
    expect(piecesOf('One.', 'One.\n\n## Two\n\nThree', 'One.')).toEqual([['', 'Two¶\nThree', 'behind .']])
  })

  it('is the end of a paragraph, and no words where only signs change', () => {
    expect(piecesOf('One two', 'One\n\ntwo', 'One two')).toEqual([['', '¶', 'behind e']])
    expect(piecesOf('One\n\ntwo', 'One two', 'One two')).toEqual([['', '¶', 'behind e']])
    expect(piecesOf('> One\n> two', 'One\ntwo', 'One two').map(([taken, put]) => taken + put)).toEqual([
      '',
      '',
    ])
  })

  it('says which lines have ended behind the words beside which lines are put', () => {
    const leads = (original_text: string, suggested_text: string, shown: string) =>
      shownPieces(
        { original_text, suggested_text },
        suggestedPieces(original_text, suggested_text),
        shown,
      ).map(({ insert, lead }) => [lead, insert])
    expect(leads('x\n', 'x\n\nNew\n', 'x')).toEqual([['\n', '\nNew\n']])
    expect(leads('x', 'x\n\nNew', 'x')).toEqual([['', '\n\nNew']])
  })

  it('comes without the marks that go, and with those that come', () => {
    const looks = (original_text: string, suggested_text: string, shown: string) =>
      shownPieces(
        { original_text, suggested_text },
        suggestedPieces(original_text, suggested_text),
        shown.replace(/\s+/g, ''),
      )
        .filter(({ words }) => words !== '')
        .map(({ words, leaves, takes }) => [words, leaves, takes])
    expect(looks('**bold**', 'bald', 'bold')).toEqual([['bald', ['strong'], []]])
    expect(looks('**one two three**', 'one 2 three', 'one two three')).toEqual([['2', ['strong'], []]])
    expect(looks('[a word](https://a.example)', 'one word', 'a word')).toEqual([['one', ['a'], []]])
    expect(looks('_it_', '**that**', 'it')).toEqual([['that', ['em'], ['strong']]])
    expect(looks('a `b`', 'a c', 'a b')).toEqual([['c', ['code'], []]])
    expect(looks('a **b** c', 'a **b** d', 'a b c')).toEqual([['d', [], []]])
    expect(looks('a **b c** d', 'a **b e** d', 'a b c d')).toEqual([['e', [], []]])
    expect(looks('a **&amp; b**', 'c d', 'a & b')).toEqual([['c d', ['strong'], []]])
  })

  it('shows no half of a mark whose other half is put in elsewhere', () => {
    const words = (before: string, after: string, shown: string) =>
      piecesOf(before, after, shown).map(([, put]) => put)
    expect(words('to words', 'then *to words*', 'to words')).toEqual(['then ', ''])
    expect(words('very bold** words', 'quite** plain *words*', 'very bold words')).toEqual([
      'quite',
      'plain ',
      '',
    ])
    expect(words('b words', '[b](http://x.org) `words`', 'b words').join('')).toBe('')
  })

  it('is all of them where the source can’t be told from what shows', () => {
    expect(piecesOf('a &amp; b', 'a &amp; c', 'a & b')).toEqual([['a&b', 'a & c', 'behind b']])
  })
})

it('shows what is put in as people read it', () => {
  expect(shownWords('', '\n\nA **bold** word and `code`.', false)).toBe('A bold word and code.')
  expect(shownWords('', '- [ ] to do\n', true)).toBe('to do')
  expect(shownWords('', ' ![A fox](fox.png)', false)).toBe(` ${asDrawn('![A fox](fox.png)')}`)
  const titled = '![A fox](fox_(1).png "Seen")'
  expect(shownWords('', ` ${titled}`, false)).toBe(` ${asDrawn(titled)}`)
  expect(shownWords('', 'see [x](javascript:alert(1))', false)).toBe('see x')
  expect(shownWords('', '](a_(b))', false)).toBe('')
  expect(shownWords('', '**', false)).toBe('')
  expect(shownWords('##', '###', true)).toBe('')
  expect(shownWords('-', '1.', true)).toBe('')
  expect(shownWords('', '1.', false)).toBe('1.')
  expect(shownWords('', '2 - 1', false)).toBe('2 - 1')
  expect(shownWords('gamma', 'one **two**.\n\nThree\nfour', false)).toBe('one two.¶\nThree four')
  expect(shownWords('gamma', 'one\n- two\n- three', false)).toBe('one¶\ntwo¶\nthree')
  const sum = '$$\n\\sum_{i=0}^n i\n= a|b\n$$'
  expect(shownWords('gamma', `one\n\n${sum}\n\nand $x*y*z$`, false)).toBe(
    `one¶\n${asDrawn(sum)}¶\nand ${asDrawn('$x*y*z$')}`,
  )
  expect([...shownWords('', 'word '.repeat(200), false)]).toHaveLength(301)
})
