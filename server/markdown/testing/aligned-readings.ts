import diff from 'fast-diff'
import { readIndependently, type ReadCharacter } from './independent-reading.ts'
import { readPage, type ShownCharacter } from './shown-page.ts'
import { signs } from './signs.ts'

/** A document as another parser reads it, beside the page that the renderer makes of it. */
export interface AlignedReadings {
  read: ReadCharacter[]
  shown: ShownCharacter[]
  /** For each character read where it is among those shown; -1 where the two disagree about what the document says. */
  places: Int32Array
  differences: Difference[]
}

/** A stretch that the two read as different text, and why. */
export interface Difference {
  reason: keyof typeof dialects
  read: string
  shown: string
}

/** In what GitHub's markdown, as marked and the renderer read it, is known to be another language than micromark's. */
export const dialects = {
  tags: 'a tag that HTML doesn’t know shows as it is written',
  dollars: 'a dollar beside a space begins no maths, as on GitHub',
  brackets: 'marked finds no link where brackets within its words stand three deep',
  other: 'a reason that nobody has looked into',
}

/** What stands between two differences counts as agreed on only if it is this long: shorter it may be chance. */
const sure = 16

export function alignReadings(source: string, html: string): AlignedReadings {
  const read = readIndependently(source)
  const shown = readPage(html)
  const one = textOf(read)
  const other = textOf(shown)
  const places = new Int32Array(read.length).fill(-1)
  const differences: Difference[] = []
  let [i, k] = [0, 0]
  let open: { read: string; shown: string } | null = null
  const parts = one === other ? [[diff.EQUAL, one] as const] : diff(one, other)
  for (const [n, [kind, text]] of parts.entries()) {
    const isAgreed = kind === diff.EQUAL && (text.length >= sure || parts.length === 1 || n === 0)
    if (isAgreed) {
      for (let at = 0; at < text.length; at++) places[i + at] = k + at
      if (open) differences.push(explain(open))
      open = null
    } else {
      open ??= { read: '', shown: '' }
      if (kind !== diff.INSERT) open.read += text
      if (kind !== diff.DELETE) open.shown += text
    }
    if (kind !== diff.INSERT) i += text.length
    if (kind !== diff.DELETE) k += text.length
  }
  if (open) differences.push(explain(open))
  return { read, shown, places, differences }
}

const textOf = (characters: readonly { shown: string }[]) => characters.map(({ shown }) => shown).join('')

function explain({ read, shown }: { read: string; shown: string }): Difference {
  if (read === '' && /^<\/?[a-z][^<>]*>$/i.test(shown)) return { reason: 'tags', read, shown }
  if (read.includes(signs.maths) && /\$[^]*\$/.test(shown)) return { reason: 'dollars', read, shown }
  if (read === '' && (shown === '[' || shown.includes(']('))) return { reason: 'brackets', read, shown }
  return { reason: 'other', read, shown }
}
