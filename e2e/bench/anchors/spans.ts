import type { Range } from '../../../server/contract/records/anchors.ts'
import type { Manuscript } from './manuscript.ts'
import type { Random } from './random.ts'

/** Words somebody commented on. */
export interface NumberedSpan extends Range {
  /** The numbers of its letters and digits in the manuscript. */
  letters: number[]
}

/** From a word to a paragraph, most of them a few words; none goes over the end of its paragraph. */
export function chooseSpans(text: string, count: number, random: Random): NumberedSpan[] {
  const spans: NumberedSpan[] = []
  while (spans.length < count) {
    const rough = random.below(text.length - 1000)
    const start = text.slice(rough).search(/(?<=\s)[\p{L}\p{N}]/u) + rough
    const [least, most] = random.of([
      [1, 12],
      [8, 40],
      [20, 80],
      [60, 300],
    ] as const)
    const wanted = start + random.between(least, most)
    const paragraph = text.indexOf('\n\n', start)
    const restOfWord = /^[\p{L}\p{N}]*/u.exec(text.slice(wanted))![0].length
    const end = Math.min(wanted + restOfWord, paragraph < 0 ? text.length : paragraph)
    const letters: number[] = []
    for (let at = start; at < end; at++) if (/[\p{L}\p{N}]/u.test(text[at]!)) letters.push(at)
    spans.push({ start, end, letters })
  }
  return spans
}

export type Verdict = 'right' | 'wrong' | 'detached' | 'revived'

/** Judges where anchors stand by where their characters are. */
export class Judge {
  /** By the number of a character: where it is. */
  readonly #places = new Map<number, number>()
  /** By the number of a character: the copies of it that came with the last save. */
  readonly #copies = new Map<number, number[]>()

  /** @param freshFrom characters whose number is at least this came with the last save */
  constructor(on: Manuscript, freshFrom: number) {
    on.ids.forEach((id, at) => {
      this.#places.set(id, at)
      let origin = id
      while (origin >= freshFrom && on.copiedFrom.has(origin)) {
        origin = on.copiedFrom.get(origin)!
        const copies = this.#copies.get(origin)
        if (copies) copies.push(id)
        else this.#copies.set(origin, [id])
      }
    })
  }

  /** Whether any letter of it is left. */
  lives = (span: NumberedSpan) => this.#left(span).length > 0

  /** From the first to the last of what is left of it. */
  stretch(span: NumberedSpan): Range | null {
    const left = this.#left(span)
    return left.length > 0 ? { start: left[0]!, end: left.at(-1)! + 1 } : null
  }

  /**
   * Right is what covers at least half of the letters that are left, and not much besides them. Where less than half
   * of them is left, it is anything that touches one. Where none is left, only nowhere is right.
   */
  judge(span: NumberedSpan, range: Range | null): Verdict {
    const left = this.#left(span)
    if (left.length === 0) return range ? 'revived' : 'right'
    if (!range) return 'detached'
    const inside = left.filter((at) => at >= range.start && at < range.end)
    if (left.length * 2 < span.letters.length) return inside.length > 0 ? 'right' : 'wrong'
    if (inside.length * 2 < left.length) return 'wrong'
    const stretch = inside.at(-1)! + 1 - inside[0]!
    return range.end - range.start <= 2 * stretch + 24 ? 'right' : 'wrong'
  }

  /**
   * A copy of words that was made in the very save that took them away is, to whoever sees only texts, the words
   * themselves. If an anchor went there it is judged by that copy from then on.
   */
  adopted(span: NumberedSpan, range: Range | null): NumberedSpan {
    if (!range || this.lives(span)) return span
    const letters = span.letters.flatMap((letter) => {
      const inside = (this.#copies.get(letter) ?? []).filter((id) => {
        const at = this.#places.get(id)!
        return at >= range.start && at < range.end
      })
      return inside.slice(0, 1)
    })
    return letters.length * 2 >= span.letters.length ? { ...span, letters } : span
  }

  /**
   * Whether an anchor stands on a copy of at least half of its words. Where the copy was made in the same save nobody
   * who sees only texts can tell the two apart, so these are told beside what is wrong.
   */
  isOnCopy({ letters }: NumberedSpan, range: Range): boolean {
    const copied = letters.filter((letter) =>
      (this.#copies.get(letter) ?? []).some((id) => {
        const at = this.#places.get(id)
        return at !== undefined && at >= range.start && at < range.end
      }),
    )
    return copied.length * 2 >= letters.length
  }

  #left({ letters }: NumberedSpan): number[] {
    return letters
      .flatMap((id) => {
        const at = this.#places.get(id)
        return at === undefined ? [] : [at]
      })
      .sort((a, b) => a - b)
  }
}
