import { diffSegments, type Segment } from '../../server/domain/diff-segments.ts'
import { fence, lineSigns } from '../editor/read-line.ts'
import { keptMarks } from '../editor/stray-marks.ts'
import { pairsIn, type Look, type Marked } from '../reading/looks-of-words.ts'
import { looksWords } from './look-words.ts'

/** A part of what is shown, in one look. */
export interface LookedSegment extends Segment {
  /** Classes of it. */
  look?: string
  /** The words stay, and get this look. */
  isFormat?: boolean
}

/** What becomes of the look of words that stay, or where words that come lead to. */
export interface FormatChange {
  does: string
  words: string
}

/** How a character will look. */
interface CharacterLook {
  /** Of `names`, one bit each. */
  bits: number
  /** Of the heading that its line is; 0 for none. */
  level: number
  /** Where the link leads that it is in. */
  to: string
}

/** Words as they will look: without the signs that make them so. */
interface LookedWords {
  said: string
  /** For each of their characters. */
  looks: CharacterLook[]
}

const names: readonly (readonly [Exclude<Look, 'a'>, string])[] = [
  ['strong', 'bold'],
  ['em', 'italic'],
  ['del', 'struck through'],
  ['code', 'code'],
  ['sup', 'raised'],
  ['sub', 'lowered'],
]
const bitOf = (look: Look) => (look === 'a' ? 0 : 1 << names.findIndex(([name]) => name === look))
const codeBit = bitOf('code')

/** Signs of more aren’t looked for. */
export const longest = 5_000
const escaped = /\\[!-/:-@[-`{-~]/g
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/

/**
 * How some words become others, as they will look; `formats` is what becomes of those that stay. Null where that tells nothing: of
 * signs alone, or of very many words.
 * @param beside what stands before and behind them on their lines
 */
export function lookedChange(
  before: string,
  after: string,
  beside: readonly [string, string],
): { segments: LookedSegment[]; formats: FormatChange[] } | null {
  if (before.length + after.length > longest) return null
  const kept = keptMarks(before, after)
  const was = lookedWords(before, beside, kept.removed)
  const will = lookedWords(after, beside, kept.added)
  const known = new Set(was.looks.map(({ to }) => to))
  const segments: LookedSegment[] = []
  const formats: (FormatChange & { end: number })[] = []
  const tell = (does: string, words: string, end: number) => {
    const last = formats.at(-1)
    if (last?.does === does && will.said.slice(last.end, end - words.length).trim() === '') {
      last.words += will.said.slice(last.end, end)
      last.end = end
    } else formats.push({ does, words, end })
  }
  let [a, b] = [0, 0]
  for (const { kind, text } of diffSegments(was.said, will.said)) {
    const inOld = kind !== 'added'
    const inNew = kind !== 'removed'
    for (let from = 0; from < text.length;) {
      const [old, now] = [was.looks[a + from], will.looks[b + from]]
      let to = from + 1
      while (
        to < text.length &&
        (!inOld || isSame(was.looks[a + to]!, old!)) &&
        (!inNew || isSame(will.looks[b + to]!, now!))
      )
        to++
      const words = text.slice(from, to)
      const isFormat = inOld && inNew && !isSame(old!, now!) && words.trim() !== ''
      const look = classesOf(inNew ? now! : old!)
      segments.push({ kind, text: words, ...(look && { look }), ...(isFormat && { isFormat }) })
      if (isFormat) tell(formatWords(old!, now!), words, b + to)
      else if (kind === 'added' && now!.to !== '' && !known.has(now!.to))
        tell(`Link to ${now!.to}`, words, b + to)
      from = to
    }
    if (inOld) a += text.length
    if (inNew) b += text.length
  }
  if (formats.length === 0 && segments.every(({ kind }) => kind === 'same')) return null
  return { segments, formats: formats.map(({ does, words }) => ({ does, words: words.trim() })) }
}

/** What some words will look like, each part in one look; as they are written where there are very many. */
export function lookedParts(source: string, beside: readonly [string, string]): LookedSegment[] {
  if (source.length > longest) return [{ kind: 'same', text: source }]
  const { said, looks } = lookedWords(source, beside)
  const parts: LookedSegment[] = []
  for (let from = 0; from < said.length;) {
    let to = from + 1
    while (to < said.length && isSame(looks[to]!, looks[from]!)) to++
    const look = classesOf(looks[from]!)
    parts.push({ kind: 'same', text: said.slice(from, to), ...(look && { look }) })
    from = to
  }
  return parts
}

const isSame = (a: CharacterLook, b: CharacterLook) =>
  a.bits === b.bits && a.level === b.level && a.to === b.to

function classesOf({ bits, level, to }: CharacterLook): string {
  const all = names.flatMap(([name], i) => (bits & (1 << i) ? [name as string] : []))
  return [...all, ...(to ? ['link'] : []), ...(level ? ['heading'] : [])].join(' ')
}

function formatWords(was: CharacterLook, will: CharacterLook): string {
  const [old, now] = [was, will].map(({ bits }) =>
    names.flatMap(([, name], i) => (bits & (1 << i) ? [name] : [])),
  )
  const told: (string | null)[] = [looksWords(old!, now!)]
  if (was.level !== will.level)
    told.push(will.level ? `Make a heading of level ${will.level}` : 'Make plain text')
  if (was.to !== will.to)
    told.push(
      will.to ? `Link to ${will.to}${was.to && ` instead of ${was.to}`}` : `Take out the link to ${was.to}`,
    )
  return told.filter(Boolean).join('; ')
}

interface Stretch {
  from: number
  to: number
}

/**
 * What people see of a source. Signs of which a half stands beside it stay, as do code in blocks, tables and pictures.
 * @param unseen what else of it isn’t to be seen
 */
function lookedWords(
  source: string,
  [head, tail]: readonly [string, string],
  unseen: readonly Stretch[] = [],
): LookedWords {
  const all = head + source + tail
  const [start, end] = [head.length, head.length + source.length]
  const isHidden = new Uint8Array(all.length)
  const looks = Array.from({ length: all.length }, (): CharacterLook => ({ bits: 0, level: 0, to: '' }))
  const instead = new Map<number, string>()
  const hide = (from: number, to: number) => isHidden.fill(1, from, to)
  /** Without what only looks like marks. */
  let plain = all.replace(escaped, 'xx')
  const blank = (from: number, to: number) =>
    (plain = plain.slice(0, from) + ' '.repeat(to - from) + plain.slice(to))

  let isCode = false
  let at = 0
  for (const line of all.split('\n')) {
    const isFence = fence.test(line)
    if (isFence) isCode = !isCode
    const signs = isCode || isFence ? line : rule.test(line) ? '' : lineSigns.exec(line)![0]
    const to = at + signs.length
    if (!isCode && !isFence) {
      const [whole, heading] = /(#+)[ \t]+$/.exec(signs) ?? []
      const [item, box] = /[-+*][ \t]+(?:\[([ xX])\][ \t]+)?$/.exec(signs) ?? []
      if (whole !== undefined) {
        hide(to - whole.length, to)
        for (let i = to; i < at + line.length; i++) looks[i]!.level = heading!.length
      } else if (box !== undefined) {
        const inner = to - item!.length + item!.indexOf('[') + 1
        hide(to - item!.length, inner)
        hide(inner + 1, inner + 2)
        instead.set(inner, box === ' ' ? '☐' : '☑')
      } else if (item !== undefined) instead.set(to - item.length, '•')
    }
    blank(at, to)
    at += line.length + 1
  }

  const isWithin = ({ from, to }: Stretch) => from >= start && to <= end
  for (const pair of realMarks(plain, pairsIn(plain))) {
    const { open, close, to = '' } = signsOf(all, pair)
    for (let i = open.to; i < close.from; i++) {
      for (const look of pair.looks) looks[i]!.bits |= bitOf(look)
      if (to) looks[i]!.to = to
    }
    // Of a pair across the edge, what of it goes or comes is to be seen.
    if (isWithin(open) !== isWithin(close)) continue
    hide(open.from, open.to)
    hide(close.from, close.to)
  }
  for (const { from, to } of unseen) hide(start + from, start + to)
  for (const { index } of all.matchAll(escaped))
    if (plain[index] === 'x' && !(looks[index]!.bits & codeBit)) hide(index, index + 1)

  const seen: LookedWords = { said: '', looks: [] }
  for (let i = start; i < end; i++) {
    if (isHidden[i]) continue
    seen.said += instead.get(i) ?? all[i]!
    seen.looks.push(looks[i]!)
  }
  return seen
}

/** Of marks that words are in by their signs alone, those that are: none in code, over paragraphs or with a space within a sign. */
function realMarks(plain: string, pairs: readonly Marked[]): Marked[] {
  const code = pairs.filter(({ sign }) => sign === '`')
  return pairs.filter((pair) => {
    const { from, to, sign } = pair
    const words = plain.slice(from + sign.length, to - sign.length)
    if (/\n[ \t]*\n/.test(plain.slice(from, to))) return false
    if (/^[*_~]/.test(sign) && /^\s|\s$/.test(words)) return false
    const isAcross = (one: Marked) => from < one.to && to > one.from && !(from < one.from && to > one.to)
    return sign === '`' || !code.some(isAcross)
  })
}

/** The signs that begin and end what is marked, and where it leads. */
function signsOf(all: string, { from, to, sign }: Marked): { open: Stretch; close: Stretch; to?: string } {
  const lengths = (first: number, last: number) => ({
    open: { from, to: from + first },
    close: { from: to - last, to },
  })
  if (sign === '[') {
    const close = all.lastIndexOf('](', to)
    return { ...lengths(1, to - close), to: all.slice(close + 2, to - 1).split(/\s/, 1)[0]! }
  }
  if (sign === '`') {
    const ticks = /^`+/.exec(all.slice(from, to))![0].length
    return lengths(ticks, ticks)
  }
  if (sign.startsWith('[^')) return lengths(2, 1)
  if (sign.startsWith('<')) return lengths(5, 6)
  return lengths(sign.length, sign.length)
}
