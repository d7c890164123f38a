import { decodeReferences } from '../../../../server/markdown/entities.ts'

/** A stretch of a rendered block: a tag, white space, a character, or a formula, which is only ever shown whole. */
export interface BlockPiece {
  kind: 'tag' | 'space' | 'char' | 'formula'
  html: string
  /** Characters that come before it, and before what follows it. */
  from: number
  to: number
  name: string
  isClosing: boolean
}

const token = /<[^>]*>|&(?:#\w+|\w+);|\s+|[^<&]|[<&]/gu
const space = /\s/

/** The pieces of a block, in order. */
export function* piecesOf(html: string): Generator<BlockPiece> {
  let chars = 0
  token.lastIndex = 0
  for (let found = token.exec(html); found; found = token.exec(html)) {
    const [one] = found
    const from = chars
    if (one.length > 1 && one[0] === '<') {
      if (/^<(?:span|div) class="maths"/.test(one)) {
        const whole = formulaAt(html, found.index)
        token.lastIndex = found.index + whole.length
        chars += wordsOf(whole).length
        yield { kind: 'formula', html: whole, from, to: chars, name: '', isClosing: false }
        continue
      }
      const [, slash, name] = /^<(\/?)([a-z\d]*)/i.exec(one)!
      yield { kind: 'tag', html: one, from, to: from, name: name!.toLowerCase(), isClosing: slash === '/' }
    } else if (space.test(one)) yield { kind: 'space', html: one, from, to: from, name: '', isClosing: false }
    else {
      chars += wordsOf(one).length
      yield { kind: 'char', html: one, from, to: chars, name: '', isClosing: false }
    }
  }
}

/** The element that begins at a place, whose name may be used within it. */
function formulaAt(html: string, at: number): string {
  const name = html.startsWith('<div', at) ? 'div' : 'span'
  const tag = new RegExp(`<(/?)${name}\\b[^>]*>`, 'g')
  tag.lastIndex = at
  let depth = 0
  for (let found = tag.exec(html); found; found = tag.exec(html)) {
    depth += found[1] ? -1 : 1
    if (depth === 0) return html.slice(at, tag.lastIndex)
  }
  return html.slice(at)
}

/** The characters of some HTML. */
export const wordsOf = (html: string) => decodeReferences(html.replace(/<[^>]*>/g, '')).replace(/\s+/g, '')
