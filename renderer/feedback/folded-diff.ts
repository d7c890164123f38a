import type { Segment } from '../../server/domain/diff-segments.ts'

/** A segment, and which of the comparison’s changes it belongs to. */
export type NumberedSegment = Segment & { change?: number }

/** A part of a comparison as it is shown: text with its changes, or a stretch of unchanged lines folded away. */
export type DiffBlock =
  { kind: 'text'; segments: NumberedSegment[] } | { kind: 'fold'; text: string; lines: number }

// A block of text is small enough to be laid out at once, and drawn only when it comes near the screen.
const BLOCK = 4_000

/**
 * A comparison with its long unchanged stretches folded: `context` whole lines stay on either side of a change, and
 * fewer than three lines are not worth a fold. All blocks together hold the segments’ text, every character once.
 */
export function foldDiff(segments: readonly NumberedSegment[], context = 2): DiffBlock[] {
  const { blocks, show, close } = layOut()
  segments.forEach((segment, i) => {
    if (segment.kind !== 'same') return show(segment)
    const { text } = segment
    const from = i === 0 ? 0 : endOfLines(text, context)
    const to = i === segments.length - 1 ? text.length : startOfLines(text, context)
    const lines = from < to ? countLines(text.slice(from, to)) : 0
    if (lines < 3) return show(segment)
    show({ kind: 'same', text: text.slice(0, from) })
    close()
    blocks.push({ kind: 'fold', text: text.slice(from, to), lines })
    show({ kind: 'same', text: text.slice(to) })
  })
  close()
  return blocks
}

/** The first `lines` lines of a fold as blocks of text, and what stays folded. */
export function unfold(fold: { text: string }, lines = 200): DiffBlock[] {
  const to = endOfLines(fold.text, lines - 1)
  const { blocks, show, close } = layOut()
  show({ kind: 'same', text: fold.text.slice(0, to) })
  close()
  const rest = fold.text.slice(to)
  if (rest !== '') blocks.push({ kind: 'fold', text: rest, lines: countLines(rest) })
  return blocks
}

function layOut() {
  const blocks: DiffBlock[] = []
  let block: NumberedSegment[] = []
  let size = 0
  const close = () => {
    if (block.length > 0) blocks.push({ kind: 'text', segments: block })
    block = []
    size = 0
  }
  const show = ({ text, ...rest }: NumberedSegment) => {
    let from = 0
    while (from < text.length) {
      const to = text.length - from <= BLOCK ? text.length : lineEndAfter(text, from + BLOCK)
      block.push({ ...rest, text: text.slice(from, to) })
      size += to - from
      from = to
      // A block ends with a line, so that the break between two doesn't show.
      if (size >= BLOCK && text[to - 1] === '\n') close()
    }
  }
  return { blocks, show, close }
}

function countLines(text: string): number {
  let lines = 0
  for (let at = 0; at < text.length; lines++) at = lineEndAfter(text, at)
  return lines
}

/** Where the line that holds `at` ends, its line break included. */
function lineEndAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** Where the rest of a line and `lines` whole lines end. */
function endOfLines(text: string, lines: number): number {
  let at = lineEndAfter(text, 0)
  for (let n = 0; n < lines && at < text.length; n++) at = lineEndAfter(text, at)
  return at
}

/** Where the last `lines` whole lines and the beginning of a line after them begin. */
function startOfLines(text: string, lines: number): number {
  let at = text.lastIndexOf('\n') + 1
  for (let n = 0; n < lines && at > 0; n++) at = at >= 2 ? text.lastIndexOf('\n', at - 2) + 1 : 0
  return at
}
