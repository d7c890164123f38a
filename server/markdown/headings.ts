import type { Token, Tokens } from 'marked'
import type { SourceBlock } from './blocks.ts'
import { withoutCrowds } from './crowded-marks.ts'
import { walk } from './footnotes.ts'
import { plainText } from './html-renderer.ts'
import { idPrefix } from './link-target.ts'
import type { Heading } from './rendered.ts'

/** Gives headings their ids, as GitHub does: the words joined by hyphens, a number if they come again. */
export class HeadingIds {
  readonly headings: Heading[] = []
  readonly #taken = new Map<string, number>()

  /** The ids of the headings in one block, by token. */
  of(block: SourceBlock, offset: number): Map<object, string> {
    const ids = new Map<object, string>()
    walk(block.tokens, (token: Token) => {
      if (token.type !== 'heading') return
      const { depth, tokens } = token as Tokens.Heading
      const text = plainText(tokens).trim().replace(/\s+/g, ' ')
      const id = this.#take(slug(text))
      ids.set(token, id)
      this.headings.push({ level: depth, text: withoutCrowds(text), id, block: offset })
    })
    return ids
  }

  #take(name: string): string {
    let count = this.#taken.get(name) ?? 0
    let id = count ? `${name}-${count}` : name
    while (count && this.#taken.has(id)) id = `${name}-${++count}`
    this.#taken.set(name, count + 1)
    if (id !== name) this.#taken.set(id, 1)
    return idPrefix + id
  }
}

function slug(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-')
    .slice(0, 100)
    .toWellFormed()
  return words || 'section'
}
