import type { Budget } from './budget.ts'

/**
 * A word is a run of letters, digits, marks and apostrophes; each character of the scripts that put no space between
 * words; a run of white space; or any other sign with whatever modifies or joins it, so that an emoji made of several
 * code points stays whole. None is longer than a thousand characters, so that an image as base64 isn't one word.
 */
export const WORD =
  /[[\p{L}\p{N}\p{M}_'’\u200C\u200D]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]{1,1000}|\s{1,1000}|[^](?:[\p{M}\p{EMod}]|\u200D\p{ExtPict}){0,100}/vy
export const LINE = /[^\n]*\n|[^\n]+/y

const COST = { character: 3, token: 40, newToken: 240 }

/** What reading so much text takes at least, where tokens are at least so long on average. */
export const leastReading = (length: number, usual: number) =>
  length * COST.character + (length / usual) * COST.token

/** Numbers for tokens: equal tokens have the same one. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #solid: boolean[] = []

  get size(): number {
    return this.#numbers.size
  }

  /** Whether a token is more than white space. */
  isSolid(id: number): boolean {
    return this.#solid[id]!
  }

  number(token: string): number {
    let id = this.#numbers.get(token)
    if (id === undefined) {
      id = this.#numbers.size
      this.#numbers.set(token, id)
      this.#solid.push(token.trim() !== '')
    }
    return id
  }
}

/** The tokens of a stretch of text. One of these may be filled again and again: a text may be millions of tokens. */
export class Tokens {
  count = 0
  /** The number of each token. So few at first cost next to nothing: most changes are a word. */
  ids = new Int32Array(16)
  /** Where each begins; `starts[count]` is where the last one ends. */
  starts = new Int32Array(16)

  /** Reads a stretch; false if that takes more than is left. */
  read(
    text: string,
    from: number,
    to: number,
    token: RegExp,
    vocabulary: Vocabulary,
    budget: Budget,
  ): boolean {
    const stretch = text.slice(from, to)
    let count = 0
    budget.left -= stretch.length * COST.character
    for (let at = 0; at < stretch.length && budget.left >= 0; count++) {
      if (count + 1 === this.starts.length) {
        this.ids = twice(this.ids)
        this.starts = twice(this.starts)
      }
      token.lastIndex = at
      token.test(stretch)
      this.starts[count] = from + at
      const known = vocabulary.size
      this.ids[count] = vocabulary.number(stretch.slice(at, token.lastIndex))
      at = token.lastIndex
      budget.left -= vocabulary.size === known ? COST.token : COST.newToken
    }
    this.starts[count] = to
    this.count = count
    return budget.left >= 0
  }
}

function twice(array: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(array.length * 2)
  longer.set(array)
  return longer
}

/** A stretch of the tokens of each of two texts. */
export interface PairedStretch {
  a0: number
  a1: number
  b0: number
  b1: number
}
