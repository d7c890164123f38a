import type { RenderedPoint } from '../../contract/records/rendering.ts'
import { letOthers } from '../slices.ts'

/** A passage of a rendered page, and what is written at its end. All of it is markup that is safe. */
export interface Passage {
  from: RenderedPoint
  to: RenderedPoint
  /** What stands around its words; none where something is put in. */
  tag: 'mark' | 'del' | null
  /** Written behind its last word, or before its first. */
  note: (isInLink: boolean) => string
  isNoteFirst: boolean
}

interface Stretch {
  from: number
  to: number
  passage: Passage
  /** Where in this block its note stands, if it does. */
  noteAt: number | null
}

const blockStart = /<div class="b" data-b="(\d+)">/g
/** Work on so many characters holds others up for no time that they would notice. */
const slice = 64 * 1024

/**
 * A rendered page with passages marked in it. No tag is opened outside of words, nor left open behind them, so that
 * the page stays as well nested as it was.
 */
export async function markPassages(html: string, passages: readonly Passage[]): Promise<string> {
  if (passages.length === 0) return html
  const starts = [...html.matchAll(blockStart)]
  if (starts.length === 0) return html
  let out = html.slice(0, starts[0]!.index)
  let worked = 0
  const byBlock = stretchesByBlock(
    starts.map(([, offset]) => Number(offset)),
    passages,
  )
  for (const [i, start] of starts.entries()) {
    const block = html.slice(start.index, starts[i + 1]?.index ?? html.length)
    const stretches = byBlock.get(Number(start[1]))
    if (!stretches) {
      out += block
      continue
    }
    for (const part of marked(block, stretches)) {
      out += part
      worked += part.length
      if (worked < slice) continue
      worked = 0
      await letOthers()
    }
  }
  return out
}

/** What of the passages stands in each block. Footnotes come later on the page than in the source. */
function stretchesByBlock(blocks: readonly number[], passages: readonly Passage[]) {
  const inOrder = blocks.toSorted((a, b) => a - b)
  const found = new Map<number, Stretch[]>()
  for (const passage of passages) {
    const { from, to, isNoteFirst } = passage
    const last = Math.max(from.block, to.block)
    for (let i = firstFrom(inOrder, Math.min(from.block, to.block)); inOrder[i]! <= last; i++) {
      const block = inOrder[i]!
      const start = block === from.block ? from.char : 0
      const end = block === to.block ? to.char : Infinity
      const isNoted = block === (isNoteFirst ? from.block : to.block)
      const noteAt = isNoted ? (isNoteFirst ? start : end - 1) : null
      const stretches = found.get(block) ?? []
      found.set(block, stretches)
      stretches.push({ from: start, to: end, passage, noteAt })
    }
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

const piece = /<[^>]*>|&(?:#\w+|\w+);|[^<&]|[<&]/gu

/** Characters are counted as places on the page are: without white space. */
function* marked(block: string, stretches: readonly Stretch[]): Generator<string> {
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
  let formulas = 0
  let open = ''
  let out = ''
  const notes = (of: Stretch[] | undefined) =>
    (of ?? []).map(({ passage }) => passage.note(links > 0)).join('')
  const turnTo = (tags: string) => {
    if (tags === open) return
    if (open)
      out += open
        .split(' ')
        .reverse()
        .map((tag) => `</${tag}>`)
        .join('')
    if (tags)
      out += tags
        .split(' ')
        .map((tag) => `<${tag} class="passage">`)
        .join('')
    open = tags
  }
  const tagsAt = (at: number) => {
    const here = stretches.filter(({ from, to }) => from <= at && at < to)
    return ['mark', 'del'].filter((tag) => here.some(({ passage }) => passage.tag === tag)).join(' ')
  }
  const edges = new Set(stretches.flatMap(({ from, to }) => [from, to]))
  let tags = tagsAt(0)
  for (const [one] of block.matchAll(piece)) {
    if (one.length > 1 && one.startsWith('<')) {
      turnTo('')
      if (/^<a\b/.test(one)) links++
      else if (one === '</a>') links--
      else if (/^<math\b/.test(one)) formulas++
      else if (one === '</math>') formulas--
      out += one
    } else if (/^\s$/u.test(one)) out += one
    else {
      // A character that takes two places, or stands for two, is never torn.
      if (edges.has(char)) tags = tagsAt(char)
      if (formulas > 0) out += one
      else {
        const before = notes(firsts.get(char))
        if (before) {
          turnTo('')
          out += before
        }
        turnTo(tags)
        out += one
        const after = notes(lasts.get(char)) + (one.length === 2 ? notes(lasts.get(char + 1)) : '')
        if (after) {
          turnTo('')
          out += after
        }
      }
      char += one.startsWith('&') ? 1 : one.length
      if (one.length === 2 && edges.has(char - 1)) tags = tagsAt(char)
    }
    if (out.length > slice) {
      yield out
      out = ''
    }
  }
  turnTo('')
  yield out
}
