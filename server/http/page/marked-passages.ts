import { coloursOfPeople } from '../../contract/colours.ts'
import type { RenderedPoint } from '../../contract/records/rendering.ts'
import { letOthers } from '../slices.ts'

type PassageTag = 'mark' | 'del'

/** A tag, and the class for the colour of whoever takes words out. */
type Stroke = PassageTag | `${PassageTag} ${string}`
type Counts = Partial<Record<Stroke, number>>

/** The class that gives what somebody wrote their colour. */
export const classOfColour = (colour: number) => `person-${colour % coloursOfPeople}`

function strokeOf({ tag, colour }: { tag: PassageTag; colour?: number | undefined }): Stroke {
  return colour === undefined ? tag : `${tag} ${classOfColour(colour)}`
}

const count = (counts: Counts, stroke: Stroke, by: number) => (counts[stroke] = (counts[stroke] ?? 0) + by)

const strokes: readonly Stroke[] = [
  'mark',
  'del',
  ...Array.from({ length: coloursOfPeople }, (_, colour) => strokeOf({ tag: 'del', colour })),
]
const nothing: readonly Stroke[] = []

/** Those that there are, each once; words that several take out are struck once, too. */
function counted(counts: Counts): Stroke[] {
  const found = strokes.filter((stroke) => (counts[stroke] ?? 0) > 0)
  return found.slice(0, found[0] === 'mark' ? 2 : 1)
}

/** A passage of a rendered page, and what is written at its end. All of it is markup that is safe. */
export interface MarkedPassage {
  from: RenderedPoint
  to: RenderedPoint
  /** What stands around its words; none where something is put in. */
  tag: PassageTag | null
  /** Of whoever takes its words out. */
  colour?: number | undefined
  /** Written behind its last word, or before its first. */
  note: (at: NotePlace) => string
  isNoteFirst: boolean
  /** Whether the note stands in lines of its own, or for `rows` in some of the table, rather than among the words. */
  apart: 'lines' | 'rows' | null
}

/** What a note stands in. */
export type NotePlace = 'words' | 'link' | 'code' | 'lines' | 'rows'

/** Where a passage begins or ends in a block. */
interface PassageInBlock {
  from: number
  to: number
  passage: MarkedPassage
  /** Where in this block its note stands, if it does. */
  noteAt: number | null
}

interface InBlock {
  stretches: PassageInBlock[]
  /** What stands around all of it, because passages begin before it and end behind it. */
  around: readonly Stroke[]
}

const blockStart = /<div class="b" data-b="(\d+)">/g
/** Work on so many characters holds others up for no time that they would notice. */
const slice = 64 * 1024

/**
 * A rendered page with passages marked in it. No tag is opened outside of words, nor left open behind them, so that
 * the page stays as well nested as it was.
 */
export async function markPassages(html: string, passages: readonly MarkedPassage[]): Promise<string> {
  if (passages.length === 0) return html
  const starts = [...html.matchAll(blockStart)]
  if (starts.length === 0) return html
  let out = html.slice(0, starts[0]!.index)
  let worked = 0
  const byBlock = placesByBlock(
    starts.map(([, offset]) => Number(offset)),
    passages,
  )
  for (const [i, start] of starts.entries()) {
    const block = html.slice(start.index, starts[i + 1]?.index ?? html.length)
    const here = byBlock.get(Number(start[1]))
    if (!here) {
      out += block
      continue
    }
    for (const part of marked(block, here)) {
      out += part
      worked += part.length
      if (worked < slice) continue
      worked = 0
      await letOthers()
    }
  }
  return out
}

/**
 * What of the passages stands in each block. Footnotes come later on the page than in the source. A passage may go over
 * very many blocks, and there may be many such: those between its ends are only counted.
 */
function placesByBlock(blocks: readonly number[], passages: readonly MarkedPassage[]): Map<number, InBlock> {
  const inOrder = blocks.toSorted((a, b) => a - b)
  const stretches = new Map<number, PassageInBlock[]>()
  const begins = inOrder.map((): Counts => ({}))
  for (const passage of passages) {
    const { from, to, tag, colour, isNoteFirst } = passage
    for (const block of new Set([from.block, to.block])) {
      const start = block === from.block ? from.char : 0
      const end = block === to.block ? to.char : Infinity
      const isNoted = block === (isNoteFirst ? from.block : to.block)
      const noteAt = isNoted ? (isNoteFirst ? start : end - 1) : null
      const here = stretches.get(block) ?? []
      stretches.set(block, here)
      here.push({ from: start, to: end, passage, noteAt })
    }
    const first = firstFrom(inOrder, Math.min(from.block, to.block) + 1)
    const last = firstFrom(inOrder, Math.max(from.block, to.block))
    if (!tag || first >= last) continue
    const stroke = strokeOf({ tag, colour })
    count(begins[first]!, stroke, 1)
    if (begins[last]) count(begins[last], stroke, -1)
  }
  const found = new Map<number, InBlock>()
  const going: Counts = {}
  for (const [i, block] of inOrder.entries()) {
    for (const stroke of strokes) count(going, stroke, begins[i]![stroke] ?? 0)
    const around = counted(going)
    const here = stretches.get(block)
    if (here || around.length > 0) found.set(block, { stretches: here ?? [], around })
  }
  return found
}

function firstFrom(inOrder: readonly number[], least: number): number {
  let low = 0
  let high = inOrder.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (inOrder[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/** What lines of words are in, outside of which others stand. */
const lineBegins = /^<(?:p|h[1-6])\b/
const lineEnds = /^<\/(?:p|h[1-6])>$/
/** All that ends right behind a footnote’s number, of which none but that is said. */
const noteEnds = /(?:<\/a>)?<\/sup>/y
const piece = /<[^>]*>|&(?:#\w+|\w+);|[^<&]|[<&]/gu

/** Characters are counted as places on the page are: without white space. */
function* marked(block: string, { stretches, around }: InBlock): Generator<string> {
  const firsts = Map.groupBy(
    stretches.filter(({ noteAt, passage }) => noteAt !== null && passage.isNoteFirst),
    ({ noteAt }) => noteAt,
  )
  const lasts = Map.groupBy(
    stretches.filter(({ noteAt, passage }) => noteAt !== null && !passage.isNoteFirst),
    ({ noteAt }) => noteAt,
  )
  let char = 0
  let links = 0
  let codes = 0
  let formulas = 0
  let open = nothing
  let out = ''
  let tables = 0
  let isHead = false
  /** Where in `out` the line or row has begun that has no character yet. */
  let begun = -1
  /** What is written once a footnote’s number has ended, and once the line or row has. */
  let behindNumber = ''
  /** A formula is one thing, behind which stands all that is at any of its characters. */
  let behindFormula = ''
  let behindLine = ''
  const isApart = ({ passage: { apart } }: PassageInBlock) =>
    apart !== null && (apart === 'rows') === tables > 0
  const written = (of: PassageInBlock[] | undefined, place?: NotePlace) =>
    (of ?? []).map(({ passage }) => passage.note(place ?? passage.apart!)).join('')
  const turnTo = (tags: readonly Stroke[]) => {
    if (tags === open || tags.join() === open.join()) return
    for (const stroke of open.toReversed()) out += `</${stroke.split(' ', 1)[0]}>`
    for (const stroke of tags) {
      const [tag, colour] = stroke.split(' ')
      out += `<${tag} class="passage${colour ? ` ${colour}` : ''}">`
    }
    open = tags
  }
  const tagsAt = tagsAlong(stretches, around)
  for (const { 0: one, index } of block.matchAll(piece)) {
    if (one.length > 1 && one.startsWith('<')) {
      if (formulas === 0) turnTo(/^<math\b/.test(one) ? tagsAt(char) : nothing)
      const isLine = tables > 0 ? one.startsWith('<tr') : lineBegins.test(one)
      if (isLine) begun = out.length
      // Behind the head of a table is before its other rows.
      if (one === '</li>' || one === '</table>') {
        out += behindLine
        behindLine = ''
      }
      if (/^<a\b/.test(one)) links++
      else if (one === '</a>') links--
      else if (/^<code\b/.test(one)) codes++
      else if (one === '</code>') codes--
      else if (/^<math\b/.test(one)) formulas++
      else if (one === '</math>') formulas--
      else if (/^<table\b/.test(one)) tables++
      else if (one === '</table>') tables--
      else if (one === '<thead>') isHead = true
      else if (one === '</thead>') isHead = false
      out += one
      if (one === '</math>' && formulas === 0) {
        turnTo(nothing)
        out += behindFormula
        behindFormula = ''
      }
      if (one === '</sup>') {
        out += behindNumber
        behindNumber = ''
      }
      const ends = tables > 0 ? one === '<tbody>' || (one === '</tr>' && !isHead) : lineEnds.test(one)
      if (ends) {
        out += behindLine
        behindLine = ''
      }
    } else if (/^\s$/u.test(one)) out += one
    else {
      const place = links > 0 ? 'link' : codes > 0 ? 'code' : 'words'
      if (formulas > 0) {
        out += one
        behindFormula += written([...(firsts.get(char) ?? []), ...(lasts.get(char) ?? [])], place)
      } else {
        const first = Map.groupBy(firsts.get(char) ?? [], (one) => begun >= 0 && isApart(one))
        const lines = written(first.get(true))
        if (lines) out = out.slice(0, begun) + lines + out.slice(begun)
        const before = written(first.get(false), place)
        if (before) {
          turnTo(nothing)
          out += before
        }
        // A character that takes two places, or stands for two, is never torn.
        turnTo(tagsAt(char))
        out += one
        const last = [...(lasts.get(char) ?? []), ...(one.length === 2 ? (lasts.get(char + 1) ?? []) : [])]
        behindLine += written(last.filter(isApart))
        noteEnds.lastIndex = index + one.length
        const isNumber = noteEnds.test(block)
        const after = written(
          last.filter((one) => !isApart(one)),
          isNumber ? 'words' : place,
        )
        if (after) turnTo(nothing)
        if (isNumber) behindNumber += after
        else out += after
      }
      begun = -1
      char += one.startsWith('&') ? 1 : one.length
    }
    if (out.length > slice && begun < 0) {
      yield out
      out = ''
    }
  }
  turnTo(nothing)
  yield out + behindLine
}

/** The tags around each character, which are asked for one after the other. */
function tagsAlong(
  stretches: readonly PassageInBlock[],
  around: readonly Stroke[],
): (at: number) => readonly Stroke[] {
  const turns = stretches
    .flatMap(({ from, to, passage: { tag, colour } }) => {
      if (!tag || from >= to) return []
      const stroke = strokeOf({ tag, colour })
      return [{ at: from, stroke, by: 1 }, ...(to < Infinity ? [{ at: to, stroke, by: -1 }] : [])]
    })
    .sort((a, b) => a.at - b.at)
  const open: Counts = {}
  for (const stroke of around) count(open, stroke, 1)
  let next = 0
  let now = counted(open)
  return (at) => {
    if (next === turns.length || turns[next]!.at > at) return now
    for (; next < turns.length && turns[next]!.at <= at; next++)
      count(open, turns[next]!.stroke, turns[next]!.by)
    return (now = counted(open))
  }
}
