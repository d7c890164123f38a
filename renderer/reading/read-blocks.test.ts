import { expect, it } from 'vitest'
import { asDrawn } from '../editor/read-line.ts'
import { allBlocksIn, blocksIn } from './read-blocks.ts'

it('reads the blocks that lines are', () => {
  expect(blocksIn('## A *head* ##\nwords\non\n\n---\nTitle\n===\n')).toEqual([
    { kind: 'heading', level: 2, words: 'A head' },
    { kind: 'paragraph', words: 'words on' },
    { kind: 'rule' },
    { kind: 'heading', level: 1, words: 'Title' },
  ])
  expect(blocksIn('~~~\n# *a*\n\n- b\n~~~\n> one\n> > two\n>\n> - three')).toEqual([
    { kind: 'code', words: '# *a*\n\n- b' },
    {
      kind: 'quote',
      blocks: [
        { kind: 'paragraph', words: 'one two' },
        { kind: 'list', items: [{ indent: 0, number: null, box: null, words: 'three' }] },
      ],
    },
  ])
  expect(blocksIn('| a | b |\n| :- | -: |\n| `c` | d &lt; |\n\nThen')).toEqual([
    {
      kind: 'table',
      rows: [
        ['a', 'b'],
        ['c', 'd <'],
      ],
      sides: ['left', 'right'],
    },
    { kind: 'paragraph', words: 'Then' },
  ])
})

it('reads how deep items are, by spaces or tabs, and also of those that come out further than the first', () => {
  const indents = (source: string) =>
    blocksIn(source).map((block) => block.kind === 'list' && block.items.map(({ indent }) => indent))
  expect(indents('- a\n  - b\n    - c\n- d')).toEqual([[0, 2, 4, 0]])
  expect(indents('1. a\n\t- b\n\t\t- c\n2. d')).toEqual([[0, 4, 8, 0]])
  expect(indents('  - a\n- b')).toEqual([[2, 0]])
})

it('ends, whatever lines there are', () => {
  const signs = ['', '- a', '  b', '> c', '```', '| d |', '| - |', '---', '# e', '===', '1. f', '|', '    g']
  for (const a of signs) for (const b of signs) for (const c of signs) blocksIn([a, b, c].join('\n'))
  expect(blocksIn('a\n\n'.repeat(100)).at(-1)).toEqual({ kind: 'paragraph', words: '…' })
})

it('reads no more than is shown, whatever is suggested', () => {
  const wide = (cell: string) => `${`| ${cell} `.repeat(10_000)}|\n`
  expect(blocksIn(wide('a') + wide('-') + wide('b').repeat(100))).toEqual([
    { kind: 'paragraph', words: expect.stringMatching(/^\| a/) },
    { kind: 'paragraph', words: '…' },
  ])
  const [table] = blocksIn(`${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n|b|\n`)
  expect(table).toMatchObject({ rows: [[...Array(20).fill('a'), '…'], ['b']], sides: Array(21).fill('') })
  for (const sign of ['`', '> ', '- ', '# ', '#', '|', '|-', '[', '![a](b', '*', '&', ' ', '\t', '\n', ' \n'])
    for (const begin of ['', '# a', '- a', '> a', '| a']) {
      const shown = JSON.stringify(blocksIn(`${begin}${sign.repeat(200_000)}x`))
      expect(shown.length).toBeLessThan(20_000)
    }
  expect(blocksIn('# a ##\n#\n# ##\n# b# #c')).toMatchObject([
    { words: 'a' },
    { words: '' },
    { words: '' },
    { words: 'b# #c' },
  ])
})

it('reads a picture that stands alone as one, whatever its title', () => {
  expect(blocksIn('![A hill](files/hill.png "Dawn")\n\n![](<a.png>)\n\nSee ![it](b.png)')).toEqual([
    { kind: 'picture', words: 'A hill', src: 'files/hill.png' },
    { kind: 'picture', words: 'a picture', src: 'a.png' },
    { kind: 'paragraph', words: `See ${asDrawn('![it](b.png)')}` },
  ])
})

it('reads formulas for the text and for cards', () => {
  const source = 'As $x$.\n\n$$\na\n- b\n$$\n\n```math\nc\n```\n\n- $d$'
  expect(blocksIn(source)).toMatchObject([
    { kind: 'paragraph', words: `As ${asDrawn('$x$')}.` },
    { kind: 'paragraph', words: asDrawn('$$a\n- b$$') },
    { kind: 'paragraph', words: asDrawn('$$c$$') },
    { kind: 'list', items: [{ words: asDrawn('$d$') }] },
  ])
  expect(allBlocksIn('As $x$.\n\n$$\nx\n+ y\n$$\n```math\nz\n```\n')).toEqual([
    { kind: 'paragraph', words: `As ${asDrawn('$x$')}.` },
    { kind: 'paragraph', words: asDrawn('$$x\n+ y$$') },
    { kind: 'paragraph', words: asDrawn('$$z$$') },
  ])
})
