import { decodeReferences } from './entities.ts'
import type { SourceText } from './source-text.ts'

const open = '\uFDD0'
const close = '\uFDD1'
const white = /\s/

/** Where each non-white-space rendered character of a block comes from; -1 for those that come from nowhere. */
export interface CharOrigins {
  starts: Int32Array
  ends: Int32Array
}

interface Run {
  origin: SourceText | null
  whole: boolean
}

/**
 * Follows source offsets through rendering. Each run of text gets a mark in front, made of noncharacters that
 * documents can't hold; whatever then happens to the HTML (colouring, sanitising, balancing), the marks stay
 * with their text, and reading them off the finished HTML gives offsets that can't disagree with the page.
 */
export class Trace {
  readonly #runs: Run[] = []

  /** Marks the text that follows as `origin`, character for character. */
  exactly(origin: SourceText): string {
    return this.#mark(origin, false)
  }

  /** Marks the text that follows as standing for all of `origin`. */
  whole(origin: SourceText): string {
    return this.#mark(origin, true)
  }

  /** Marks the text that follows as made up by the renderer. */
  nothing(): string {
    return this.#mark(null, false)
  }

  /** Marks `words` as standing for the next characters of the run that it stands in: `part`. */
  instead(words: string, part: string): string {
    return `${open}+${part.replace(/\s/g, '').length}${close}${words}${open}-${close}`
  }

  #mark(origin: SourceText | null, whole: boolean): string {
    return open + (this.#runs.push({ origin, whole }) - 1) + close
  }

  /** Reads the marks off finished HTML. */
  read(html: string): CharOrigins {
    const starts: number[] = []
    const ends: number[] = []
    let run: Run | undefined
    let at = 0
    /** What the text stands for that is there instead of something. */
    let stead: [start: number, end: number] | null = null
    for (const piece of html.matchAll(/<[^>]*>|\uFDD0([-+]?\d*)\uFDD1|[^<\uFDD0]+/g)) {
      const text = piece[0]
      if (text[0] === '<') continue
      if (text[0] === open) {
        const sign = piece[1]!
        if (sign === '-') stead = null
        else if (sign[0] === '+') [stead, at] = standing(run, at, Number(sign.slice(1)))
        else [run, at] = [this.#runs[Number(sign)], 0]
        continue
      }
      for (const char of decodeReferences(text).split('')) {
        if (white.test(char)) continue
        if (stead) {
          starts.push(stead[0])
          ends.push(stead[1])
          continue
        }
        const origin = run?.origin
        if (origin && run?.whole) {
          starts.push(origin.start(0))
          ends.push(origin.end(origin.text.length - 1))
          continue
        }
        while (origin && at < origin.text.length && white.test(origin.text[at]!)) at++
        const known = origin && at < origin.text.length
        // Half a character can't be quoted, so both halves stand for all of it.
        const first =
          known && isHalf(origin.text, at, 0xdc00) && isHalf(origin.text, at - 1, 0xd800) ? at - 1 : at
        const last =
          known && isHalf(origin.text, at, 0xd800) && isHalf(origin.text, at + 1, 0xdc00) ? at + 1 : at
        starts.push(known ? origin.start(first) : -1)
        ends.push(known ? origin.end(last) : -1)
        at++
      }
    }
    return { starts: Int32Array.from(starts), ends: Int32Array.from(ends) }
  }
}

/** Whether there is a surrogate of the kind that starts at `kind`. */
function isHalf(text: string, at: number, kind: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(at) & 0xfc00) === kind
}

/** What the next characters of a run stand for, white space aside, and where it goes on behind them. */
function standing(run: Run | undefined, from: number, count: number): [place: [number, number], at: number] {
  if (!run?.origin) return [[-1, -1], from]
  const { origin, whole } = run
  if (whole) return [[origin.start(0), origin.end(origin.text.length - 1)], from]
  let [first, at] = [-1, from]
  for (let left = count; left > 0 && at < origin.text.length; at++) {
    if (white.test(origin.text[at]!)) continue
    if (first < 0) first = at
    left--
  }
  return [first < 0 ? [-1, -1] : [origin.start(first), origin.end(at - 1)], at]
}
