import type { PutBlock } from '../reading/read-blocks.ts'

/** What blocks are, such as “a heading of level 2 and a table of 3 columns”; those that are alike one after the other together. */
export function namesOfBlocks(blocks: readonly PutBlock[]): string {
  const runs: { name: string; count: number }[] = []
  for (const name of blocks.map(nameOf)) {
    const last = runs.at(-1)
    if (last?.name === name) last.count++
    else runs.push({ name, count: 1 })
  }
  const names = runs.map(({ name, count }) =>
    count === 1 ? name : `${count} ${name.replace(/^an? (\w+)/, '$1s')}`,
  )
  const shown = names.length > most ? [...names.slice(0, most), 'more'] : names
  return new Intl.ListFormat('en').format(shown)
}

/** So many are named. */
const most = 4

function nameOf(block: PutBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return 'a paragraph'
    case 'heading':
      return `a heading of level ${block.level}`
    case 'code':
      return 'a block of code'
    case 'rule':
      return 'a divider'
    case 'picture':
      return 'a picture'
    case 'quote':
      return 'a quote'
    case 'table':
      return `a table of ${counted(block.sides.length, 'column')}`
    case 'list':
      return block.items.length === 1 ? 'an item' : `a list of ${block.items.length} items`
  }
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** What they say, without signs, on lines as they have them. */
export const wordsOfBlocks = (blocks: readonly PutBlock[]): string =>
  blocks.map(wordsOf).filter(Boolean).join('\n')

function wordsOf(block: PutBlock): string {
  switch (block.kind) {
    case 'rule':
      return ''
    case 'quote':
      return wordsOfBlocks(block.blocks)
    case 'table':
      return block.rows.map((cells) => cells.join(' · ').trim()).join('\n')
    case 'list':
      return block.items.map(({ box, words }) => (box === null ? words : `${box} ${words}`)).join('\n')
    default:
      return block.words
  }
}
