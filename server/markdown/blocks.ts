import type { Token } from 'marked'

/** Top-level tokens that are shown as one block, because raw HTML opened in the first closes in the last. */
export interface SourceBlock {
  /** Where it starts and ends in the text the lexer saw. */
  from: number
  to: number
  tokens: Token[]
}

const spanning = new Set('div details blockquote table thead tbody tr td th ul ol li dl dd'.split(' '))
const tag = /<!--[\s\S]*?(?:-->|$)|<(\/?)([A-Za-z][A-Za-z\d]*)(?:"[^"]*"|'[^']*'|[^>"'])*>/g
const silent = new Set(['space', 'def', 'footnote'])

/**
 * The blocks of a document. `<details>` in one and `</details>` in a later one make all between them one
 * block; raw elements that are never closed end with the block they are in.
 */
export function groupBlocks(tokens: Token[], offsets: number[], length: number): SourceBlock[] {
  const lastOf = closingTokens(tokens)
  const blocks: SourceBlock[] = []
  for (let i = 0; i < tokens.length; i++) {
    if (silent.has(tokens[i]!.type)) continue
    let last = i
    for (let j = i; j <= last; j++) last = Math.max(last, lastOf.get(j) ?? j)
    blocks.push({
      from: offsets[i]!,
      to: offsets[last + 1] ?? length,
      tokens: tokens.slice(i, last + 1),
    })
    i = last
  }
  return blocks
}

/** For each token that opens raw elements closed elsewhere: the last token that closes one of them. */
function closingTokens(tokens: Token[]): Map<number, number> {
  const lastOf = new Map<number, number>()
  const open: { name: string; token: number }[] = []
  tokens.forEach((token, i) => {
    if (token.type !== 'html') return
    for (const match of token.raw.matchAll(tag)) {
      const name = match[2]?.toLowerCase() ?? ''
      if (!spanning.has(name)) continue
      if (!match[1]) {
        open.push({ name, token: i })
        continue
      }
      const opener = open.findLastIndex((element) => element.name === name)
      if (opener < 0) continue
      if (open[opener]!.token < i) lastOf.set(open[opener]!.token, i)
      open.length = opener
    }
  })
  return lastOf
}
