import type { Token, Tokens } from 'marked'
import { directionOf, type Direction } from './direction.ts'
import { decodeReferences } from './entities.ts'

/** Which way the words of tokens go; null without any. Code, tags, pictures and addresses aren’t words. */
export function directionOfTokens(tokens: readonly Token[]): Direction | null {
  for (const token of tokens) {
    const found = ofToken(token)
    if (found) return found
  }
  return null
}

function ofToken(token: Token): Direction | null {
  switch (token.type) {
    case 'link':
      if ((token as Tokens.Link).autolink) return null
      break
    case 'text':
    case 'escape': {
      const { tokens, text, raw } = token as Tokens.Text
      if (tokens) break
      return directionOf(token.type === 'text' && raw.includes('&') ? decodeReferences(raw) : text)
    }
    case 'image':
    case 'footnoteReference':
    case 'checkbox':
      return null
    case 'list':
      return directionOfTokens((token as Tokens.List).items)
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return directionOfTokens([header, ...rows].flat().flatMap(({ tokens }) => tokens))
    }
  }
  return 'tokens' in token && token.tokens ? directionOfTokens(token.tokens) : null
}
