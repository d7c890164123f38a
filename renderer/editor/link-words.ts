import type { ChangeSet, EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { eachMarked, hasAddress, signsAt, type MarkedNode } from './marked-nodes.ts'

/** Making a link of words, whatever marks they have. */

interface Range {
  from: number
  to: number
}

const longest = 100

/** What can’t be part of a link by halves, and means no brackets. */
const atoms = /^(?:InlineCode|Image|Autolink|URL|HTMLTag|Escape|Entity)$/

/** Within a range: words with marks, links of their own, and what is whole or not there. */
function partsIn(state: EditorState, { from, to }: Range) {
  const found = { all: [] as MarkedNode[], links: [] as MarkedNode[], atoms: [] as SyntaxNode[] }
  const isOutside = (one: Range) => one.from >= to || one.to <= from
  eachMarked(
    state,
    from,
    to,
    (name, marks) => {
      if (name === 'InlineCode' || isOutside({ from: marks.open.from, to: marks.close.to })) return
      if (name === 'Link' && !hasAddress(state, marks)) return
      found.all.push(marks)
      if (name === 'Link') found.links.push(marks)
    },
    (node) => {
      const isAtom = atoms.test(node.name)
      if (isAtom && !isOutside(node)) found.atoms.push(node)
      return !isAtom
    },
  )
  return found
}

/** The words that become a link: no mark is cut through, and one of which all words become it is taken in. */
function wordsToLink(state: EditorState, chosen: Range): Range {
  let { from, to } = chosen
  const { all, links, atoms } = partsIn(state, chosen)
  for (const one of atoms) [from, to] = [Math.min(from, one.from), Math.max(to, one.to)]
  // From within.
  for (const { open, close } of all.toReversed()) {
    if (from > open.from && from < open.to) from = open.to
    if (to > close.from && to < close.to) to = close.from
    if (from >= close.from && from < close.to) from = close.to
    if (to > open.from && to <= open.to) to = open.from
  }
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(state.sliceDoc(at, at + 1))
  const [beforeSigns, behindSigns] = [/[*_~]*$/, /^[*_~]*/]
  for (const { open, close } of all.toReversed()) {
    // Between the link’s end and a letter a mark would mean nothing.
    const first =
      open.from - beforeSigns.exec(state.sliceDoc(Math.max(0, open.from - longest), open.from))![0].length
    const last = close.to + behindSigns.exec(state.sliceDoc(close.to, close.to + longest))![0].length
    if (from === open.to && (to > close.from || isLetter(first - 1))) from = open.from
    if (to === close.from && (from < open.to || isLetter(last))) to = close.to
  }
  for (const { open, close } of links)
    if (from === open.to && to === close.from) [from, to] = [open.from, close.to]
  return from < to ? { from, to } : chosen
}

/**
 * What makes a link of words. Only signs are put in, or taken out, around the words and within them, so that these stay
 * whose they are: their author’s undo knows them. Marks that begin before the link and end in it end before it and begin
 * anew within, and the other way round. What is of another link becomes part of this one.
 */
export function linkOf(
  state: EditorState,
  chosen: Range,
  address: string,
): { changes: ChangeSet; anchor: number } {
  const words = wordsToLink(state, chosen)
  const { from, to } = words
  const text = state.sliceDoc(from, to)
  const { all, links, atoms } = partsIn(state, words)
  const before = { close: '', open: '' }
  const behind = { close: '', open: '' }
  const gone: Range[] = []
  for (const { open, close } of all) {
    const isLink = links.some((one) => one.open === open)
    const [opens, closes] = [state.sliceDoc(open.from, open.to), state.sliceDoc(close.from, close.to)]
    const [isBegun, isGoingOn] = [open.from < from, close.to > to]
    if (isBegun && (isLink || !isGoingOn)) {
      before.close = closes + before.close
      if (!isLink) before.open += opens
    }
    if (isGoingOn && (isLink || !isBegun)) {
      behind.open += opens
      if (!isLink) behind.close = closes + behind.close
    }
    if (isLink && !isBegun) gone.push(open)
    if (isLink && !isGoingOn) gone.push(close)
  }
  const isIn = (at: number, ranges: readonly Range[]) => ranges.some((one) => one.from <= at && at < one.to)
  const escaped = [...text.matchAll(/[[\]]/g)]
    .map(({ index }) => from + index)
    .filter((at) => !isIn(at, atoms) && !isIn(at, gone))
  const outer = signsAt(state, words, 'outside')
  const inner = signsAt(state, words, 'inside')
  const changes = state.changes([
    { from: outer.from, insert: before.close },
    { from, insert: '[' },
    { from: inner.from, insert: before.open },
    ...gone,
    ...escaped.map((at) => ({ from: at, insert: '\\' })),
    { from: inner.to, insert: behind.close },
    { from: to, insert: `](${address})` },
    { from: outer.to, insert: behind.open },
  ])
  const end = changes.mapPos(to, 1) - (outer.to === to ? behind.open.length : 0)
  // Where the address ends, which may have to be written yet.
  return { changes, anchor: end - 1 }
}
