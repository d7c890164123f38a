import { GFM, parser } from '@lezer/markdown'
import type { Tree } from '@lezer/common'
import { expect, test } from 'vitest'
import { bounds } from './markdown-bounds.ts'
import { markdownLanguage } from './markdown-language.ts'

const read = (text: string) => markdownLanguage.parser.parse(text)

function shapeOf(tree: Tree): string {
  let shape = ''
  tree.iterate({
    enter: ({ name, from, to }) => void (shape += `(${name} ${from}–${to} `),
    leave: () => void (shape += ')'),
  })
  return shape
}

function sizeOf(tree: Tree): { nodes: number; depth: number } {
  let [nodes, depth, deepest] = [0, 0, 0]
  tree.iterate({
    enter: () => {
      nodes++
      deepest = Math.max(deepest, ++depth)
    },
    leave: () => void depth--,
  })
  return { nodes, depth: deepest }
}

test.each([
  'A *word*, **strong *both* ~~gone~~**, `code`, <b>tag</b> <!-- a --> and ![a [picture](b)](c "d").\n',
  `- ${'one *two* '.repeat(300)}\n  1. > quoted\n     > **on**\n\n[a]: b "title"\n\n| a | *b* |\n|---|:-:|\n| c | \`d\` |\n`,
  `${'> - '.repeat(30)}deep\n\n${'*a **b '.repeat(20)}c${'** d*'.repeat(20)}\n\nhttps://a.b/c_(d)) www.e.f a@b.c  \nnext\n`,
  `${'[link](https://example.com/a "title") and \\* &amp; '.repeat(400)}\n`,
])('What people write is read as ever: %#', (text) => {
  expect(shapeOf(read(text))).toBe(shapeOf(parser.configure(GFM).parse(text)))
})

test.each([
  ['asterisks', '*'.repeat(20_000) + 'a' + '*'.repeat(20_000)],
  ['emphasis', '*a '.repeat(900) + 'b* '.repeat(900)],
  ['runs', ('*'.repeat(190) + 'a').repeat(200) + ('a' + '*'.repeat(190)).repeat(200)],
  ['pictures', '!['.repeat(2_000) + 'a' + '](b)'.repeat(2_000)],
  ['items', '- '.repeat(4_000) + 'x'],
  ['quotes', '>'.repeat(20_000) + 'x'],
  ['items and quotes', '1. > '.repeat(4_000) + 'x'],
])('However much stands in one another, the tree isn’t deep: %s', (_, text) => {
  expect(sizeOf(read(text)).depth).toBeLessThan(210)
})

// Without bounds each of these has a node for all that is in it, or looks for an end again and again that isn't there.
test.each([
  ['brackets', ('[a](b'.repeat(1_000) + '\n').repeat(20), 10_000],
  ['emphasis that doesn’t end', ('*a_ '.repeat(1_000) + '\n').repeat(25), 20],
  ['code that doesn’t end', Array.from({ length: 600 }, (_, i) => '`'.repeat(i + 1)).join(' ') + ' `a`', 20],
  ['code', ('`a` '.repeat(1_000) + '\n').repeat(20), 6_100],
  ['comments that don’t end', ('a ' + '<!-- '.repeat(1_000) + '\n').repeat(19) + ' *a*', 10],
  ['parentheses behind an address', ('http://a.b/' + ')'.repeat(1_900) + ' ').repeat(20) + '*a*', 10],
  ['a definition that doesn’t end', '[a]: b "' + '\nxxxxxxxx'.repeat(10_000), 10],
])('What would take too long is plain from there on: %s', (_, text, most) => {
  expect(sizeOf(read(`${text}\n`)).nodes).toBeLessThan(most)
  // The next block is read.
  expect(shapeOf(read(`${text}\n\n*a*\n`))).toContain('Emphasis')
})

test.each([
  ['a paragraph', '', ''],
  ['the last line of one', 'One *word*\n', ''],
  ['the first line of one', '', '\nOne *word*'],
  ['a heading', '# ', ''],
  ['a quoted item', '> - ', ''],
])('A line that goes on and on is plain with its block: %s', (_, before, behind) => {
  const line = (length: number) => `${before}${'*a* '.repeat(length / 4)}${behind}\n\n*b*\n`
  const drawn = (text: string) => shapeOf(read(text)).match(/\(Emphasis /g)!.length
  expect(drawn(line(bounds.line + 8))).toBe(1)
  expect(drawn(line(bounds.line - 8))).toBeGreaterThan(100)
})

test('Code and definitions of links are read however long their lines are', () => {
  const long = 'x'.repeat(2 * bounds.line)
  expect(shapeOf(read(`\`\`\`\n${long}\n\`\`\`\n`))).toContain('CodeText')
  expect(shapeOf(read(`[a]: <data:image/png;base64,${long}>\n`))).toContain('LinkReference')
})
