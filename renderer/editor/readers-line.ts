import type { Token } from 'marked'
import { lex } from '../../server/markdown/lexer.ts'

/** What readers see of a line, and what of it has which look, as it will be rendered. */
export interface ReadersLine {
  words: string
  looks: { look: string; from: number; to: number }[]
}

const mostNested = 100

export function readersLine(markdown: string): ReadersLine {
  const line: ReadersLine = { words: '', looks: [] }
  const read = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      const within = ('tokens' in token && token.tokens) || ('items' in token && (token.items as Token[]))
      const from = line.words.length
      if (within) read(within)
      else line.words += 'text' in token && token.type !== 'html' ? (token.text as string) : token.raw
      if (['strong', 'em', 'del'].includes(token.type)) {
        line.looks.push({ look: token.type, from, to: line.words.length })
      }
    }
  }
  try {
    read(lex(markdown, mostNested).tokens)
  } catch {
    return { words: markdown, looks: [] }
  }
  return line
}
