import type { Manuscript, Replacement } from './manuscript.ts'
import type { Random } from './random.ts'

interface Stretch {
  from: number
  to: number
}

type Edit = (on: Manuscript, place: number, random: Random, words: readonly string[]) => void

/** The paragraph at a place, without the blank lines around it. */
function paragraphAt({ text }: Manuscript, place: number): Stretch {
  const from = text.lastIndexOf('\n\n', Math.max(0, place - 1))
  const to = text.indexOf('\n\n', Math.max(place, from + 2))
  return { from: from < 0 ? 0 : from + 2, to: to < 0 ? text.length : to }
}

/** The sentence, or the line, at a place; with the white space after it. */
function sentenceAt(on: Manuscript, place: number): Stretch {
  const paragraph = paragraphAt(on, place)
  const text = on.text.slice(paragraph.from, paragraph.to)
  let from = 0
  for (const { index, 0: end } of text.matchAll(/[.!?:]\s+|\n(?=[-*#|])/g)) {
    if (paragraph.from + index + end.length > place) {
      return { from: paragraph.from + from, to: paragraph.from + index + end.length }
    }
    from = index + end.length
  }
  return { from: paragraph.from + from, to: paragraph.to }
}

/** So many words from the one at a place on; ends before white space. */
function wordsAt({ text }: Manuscript, place: number, count: number): Stretch {
  let from = place
  while (from > 0 && !/\s/.test(text[from - 1]!)) from--
  while (from < text.length && /\s/.test(text[from]!)) from++
  let to = from
  for (let i = 0; i < count && to < text.length; i++) {
    if (i > 0) while (to < text.length && /[^\S\n]/.test(text[to]!)) to++
    while (to < text.length && !/\s/.test(text[to]!)) to++
  }
  return { from, to }
}

const phrase = (random: Random, words: readonly string[], count: number) =>
  Array.from({ length: count }, () => random.of(words)).join(' ')

function sentence(random: Random, words: readonly string[]): string {
  const text = phrase(random, words, random.between(6, 22))
  return `${text[0]!.toUpperCase()}${text.slice(1)}. `
}

/** Wraps the words of a stretch at another width. Only white space that becomes another is typed anew. */
function reflow(on: Manuscript, { from, to }: Stretch, width: number): void {
  let column = 0
  const breaks: Replacement[] = []
  for (let at = from; at < to; at++) {
    const sign = on.text[at]!
    column++
    if (sign !== ' ' && sign !== '\n') continue
    // Blank lines, indented code, lists and tables keep their lines.
    const isPlain = /[^\s|]/.test(on.text[at - 1] ?? '') && /[\p{L}\p{N}("'`]/u.test(on.text[at + 1] ?? '')
    const next = on.text.slice(at + 1).search(/\s/)
    const now = !isPlain ? sign : column + next > width ? '\n' : ' '
    if (now !== sign) breaks.push({ from: at, to: at + 1, insert: now })
    if (now === '\n') column = 0
  }
  on.replaceEach(breaks)
}

const edits = {
  /** A letter goes, comes, or becomes another. */
  typo(on, place, random) {
    const { from, to } = wordsAt(on, place, 1)
    if (to - from < 2) return
    const at = random.between(from, to)
    const letter = random.of([...'aeionrst'])
    const [end, insert] = random.of([
      [at, letter],
      [at + 1, letter],
      [at + 1, ''],
    ] as const)
    on.replace(at, end, insert)
  },
  word(on, place, random, words) {
    const { from, to } = wordsAt(on, place, 1)
    on.replace(from, to, random.of(words))
  },
  insertWords(on, place, random, words) {
    const { from } = wordsAt(on, place, 1)
    on.replace(from, from, `${phrase(random, words, random.between(1, 5))} `)
  },
  insertSentence(on, place, random, words) {
    const { from } = sentenceAt(on, place)
    on.replace(from, from, sentence(random, words))
  },
  insertParagraph(on, place, random, words) {
    const { from } = paragraphAt(on, place)
    const count = random.between(1, 5)
    const text = Array.from({ length: count }, () => sentence(random, words)).join('')
    on.replace(from, from, `${text.trim()}\n\n`)
  },
  deleteWords(on, place, random) {
    const { from, to } = wordsAt(on, place, random.between(1, 6))
    on.replace(from, on.text[to] === ' ' ? to + 1 : to, '')
  },
  deleteSentence(on, place) {
    const { from, to } = sentenceAt(on, place)
    on.replace(from, to, '')
  },
  deleteParagraph(on, place) {
    const { from, to } = paragraphAt(on, place)
    on.replace(from, Math.min(on.text.length, to + 2), '')
  },
  /** Every third word or so becomes another, some go and some come. */
  rewriteSentence(on, place, random, words) {
    const { from, to } = sentenceAt(on, place)
    const others = [...on.text.slice(from, to).matchAll(/\S+/g)].filter(() => random.below(3) === 0)
    on.replaceEach(
      others.map(({ index, 0: word }) => ({
        from: from + index,
        to: from + index + word.length,
        insert: phrase(random, words, random.between(0, 3)),
      })),
    )
  },
  /** Nothing of it stays. */
  rewriteParagraph(on, place, random, words) {
    const { from, to } = paragraphAt(on, place)
    const count = Math.max(1, Math.round((to - from) / 90))
    on.replace(
      from,
      to,
      Array.from({ length: count }, () => sentence(random, words))
        .join('')
        .trim(),
    )
  },
  moveParagraph(on, place, random) {
    const { from, to } = paragraphAt(on, place)
    const dest = paragraphAt(on, random.below(on.text.length)).from
    const end = Math.min(on.text.length, to + 2)
    if (dest < from || dest >= end) on.move(from, end, dest)
  },
  moveSentence(on, place, random) {
    const { from, to } = sentenceAt(on, place)
    const near = place + random.between(-2000, 2000)
    const dest = sentenceAt(on, Math.min(on.text.length, Math.max(0, near))).from
    if (dest < from || dest >= to) on.move(from, to, dest)
  },
  doubleParagraph(on, place, random) {
    const { from, to } = paragraphAt(on, place)
    const end = Math.min(on.text.length, to + 2)
    on.copy(from, end, random.below(2) ? end : paragraphAt(on, random.below(on.text.length)).from)
  },
  reflowParagraph(on, place, random) {
    reflow(on, paragraphAt(on, place), random.between(60, 110))
  },
  reflowAll(on, _place, random) {
    reflow(on, { from: 0, to: on.text.length }, random.between(60, 110))
  },
  /** A word that stands here becomes another everywhere. */
  replaceAll(on, place, random, words) {
    const { from, to } = wordsAt(on, place, 1)
    const old = /\p{L}{4,}/u.exec(on.text.slice(from, to))?.[0]
    if (!old) return
    const insert = random.of(words)
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${old}(?![\\p{L}\\p{N}])`, 'gu')
    on.replaceEach(
      Array.from(on.text.matchAll(whole), ({ index }) => ({ from: index, to: index + old.length, insert })),
    )
  },
  /** A line stands again, where it is or elsewhere. */
  repeatLine(on, place, random) {
    const from = on.text.lastIndexOf('\n', place - 1) + 1
    const to = on.text.indexOf('\n', place) + 1
    if (to <= from) return
    const elsewhere = on.text.lastIndexOf('\n', random.below(on.text.length)) + 1
    on.copy(from, to, random.below(2) ? to : elsewhere)
  },
  splitParagraph(on, place) {
    const { from } = sentenceAt(on, place)
    on.replace(from, from, '\n\n')
  },
  joinParagraphs(on, place) {
    const { to } = paragraphAt(on, place)
    if (to + 2 < on.text.length) on.replace(to, to + 2, ' ')
  },
} satisfies Record<string, Edit>

export type EditKind = keyof typeof edits

/** How often each kind of edit is made, of a thousand or so. */
export const mixes: Record<'classic' | 'rich' | 'shuffled', Partial<Record<EditKind, number>>> = {
  // What is typed: letters, words and sentences come and go where they stand.
  classic: {
    typo: 250,
    word: 150,
    insertWords: 200,
    insertSentence: 120,
    insertParagraph: 30,
    deleteWords: 150,
    deleteSentence: 30,
    splitParagraph: 40,
    joinParagraphs: 30,
  },
  rich: {
    typo: 220,
    word: 120,
    insertWords: 120,
    insertSentence: 90,
    insertParagraph: 40,
    deleteWords: 90,
    deleteSentence: 40,
    deleteParagraph: 25,
    rewriteSentence: 70,
    rewriteParagraph: 20,
    moveParagraph: 50,
    moveSentence: 30,
    doubleParagraph: 20,
    reflowParagraph: 30,
    reflowAll: 1,
    replaceAll: 8,
    splitParagraph: 15,
    joinParagraphs: 11,
  },
  // Lines that stand twice, paragraphs that were moved and text that was wrapped anew among what is typed.
  shuffled: {
    typo: 250,
    word: 120,
    insertWords: 150,
    insertSentence: 90,
    insertParagraph: 30,
    deleteWords: 110,
    deleteSentence: 30,
    deleteParagraph: 10,
    repeatLine: 50,
    moveParagraph: 60,
    reflowParagraph: 60,
    splitParagraph: 20,
    joinParagraphs: 20,
  },
}

/** Edits like a day's work: two in three are near one of a few places. */
export class RandomEditor {
  readonly #on: Manuscript
  readonly #random: Random
  readonly #mix: Record<EditKind, number>
  readonly #words: readonly string[]
  readonly #centres: number[]

  constructor(on: Manuscript, random: Random, mix: keyof typeof mixes) {
    this.#on = on
    this.#random = random
    this.#mix = mixes[mix] as Record<EditKind, number>
    this.#words = on.text.match(/\p{L}{2,12}/gu) ?? []
    this.#centres = Array.from({ length: 12 }, () => random.below(on.text.length))
  }

  edit(): EditKind {
    const random = this.#random
    const { length } = this.#on.text
    const near = random.of(this.#centres) + random.between(-3000, 3000)
    const place = random.below(3) ? Math.min(length - 1, Math.max(0, near)) : random.below(length)
    const kind = random.weighted(this.#mix)
    edits[kind](this.#on, place, random, this.#words)
    return kind
  }
}
