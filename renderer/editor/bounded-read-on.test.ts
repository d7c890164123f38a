import { TreeFragment, type Input, type Tree } from '@lezer/common'
import { expect, test } from 'vitest'
import { markdownLanguage } from './markdown-language.ts'

const { parser } = markdownLanguage

/** A text that counts how often something of it is read. */
class Counted implements Input {
  readonly lineChunks = false
  reads = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
  get length() {
    return this.text.length
  }
  chunk(from: number) {
    this.reads++
    return this.text.slice(from)
  }
  read(from: number, to: number) {
    this.reads++
    return this.text.slice(from, to)
  }
}

function readTo(input: Input, end: number, fragments: readonly TreeFragment[] = []): Tree {
  const parse = parser.startParse(input, fragments)
  parse.stopAt(end)
  for (;;) {
    const tree = parse.advance()
    if (tree) return tree
  }
}

function shapeOf(tree: Tree): string {
  let shape = ''
  tree.iterate({ enter: ({ name, from, to }) => void (shape += `${name} ${from}–${to} `) })
  return shape
}

/** What is read of a text that was read up to a place before something was put into it. */
function readOn(before: string, upTo: number, at: number, put: string): { tree: Tree; reads: number } {
  const known = TreeFragment.addTree(readTo(new Counted(before), upTo), [], true)
  const length = put.length
  const fragments = TreeFragment.applyChanges(known, [{ fromA: at, toA: at, fromB: at, toB: at + length }], 2)
  const input = new Counted(before.slice(0, at) + put + before.slice(at))
  return { tree: readTo(input, input.length, fragments), reads: input.reads }
}

const blocks = '# One *word*\n\nA paragraph with `code`.\n\n- an item\n- *another*\n\n> quoted\n\n'

test('To read on in a long line takes no more than in many short ones', () => {
  const long = readOn(`${blocks}${'word '.repeat(60_000)}`, 3_000, 5, 'more ')
  expect(long.reads).toBeLessThan(150)
})

test('What is read on is as if it were read anew', () => {
  const text = `${blocks.repeat(5)}${'word '.repeat(300)}\n${'*a*\n'.repeat(50)}\n${blocks}`
  for (let at = 0; at < text.length; at += 13)
    for (const upTo of [at, at + 200, text.length]) {
      const { tree } = readOn(text, Math.min(upTo, text.length), at, 'x *y*\n')
      expect(shapeOf(tree)).toBe(shapeOf(parser.parse(text.slice(0, at) + 'x *y*\n' + text.slice(at))))
    }
})
