import { closingOf, type MarkKind } from './signs.ts'

/** A mark in a text, from the first of its signs to behind the last. */
export interface FoundMark {
  kind: MarkKind
  start: number
  end: number
  /** Where the sign between old and new words stands, in a substitution that has one. */
  middle: number | null
  /** Whether other marks stand in it, which CriticMarkup has no meaning for. */
  isNested: boolean
}

interface Frame {
  mark: FoundMark
  within: FoundMark[]
}

const signs = /(?<!\\)(\\*)\{(\+\+|--|~~|>>|==)|(?<=\+\+|--|~~|<<|==)\}|(?<=~)>/g

/**
 * All marks of a text, in order, and those that are opened and never closed. One that is never closed hides none that
 * come after it. Reads each character once, whatever the text. Null, as soon as that is known, where more than `most` are
 * opened.
 */
export function findMarks(text: string, most: number): { marks: FoundMark[]; unclosed: FoundMark[] } | null {
  const outermost: FoundMark[] = []
  const open: Frame[] = []
  let opened = 0
  for (const { index, 0: found, 1: backslashes = '', 2: kind } of text.matchAll(signs)) {
    const top = open.at(-1)
    if (kind !== undefined) {
      if (backslashes.length % 2 === 1) continue
      if (++opened > most) return null
      const start = index + backslashes.length
      const mark = { kind: kind as MarkKind, start, end: start + 3, middle: null, isNested: false }
      open.push({ mark, within: [] })
    } else if (!top) continue
    else if (found === '>') {
      if (top.mark.kind === '~~' && index - 1 >= top.mark.start + 3) top.mark.middle ??= index - 1
    } else if (closes(text, top.mark, index)) {
      open.pop()
      const { mark, within } = top
      const list = open.at(-1)?.within ?? outermost
      list.push({ ...mark, end: index + 1, isNested: within.length > 0 })
    }
  }
  // All that were closed within one that wasn't stand before the next that wasn't.
  const marks = [...outermost, ...open.flatMap(({ within }) => within)]
  return { marks, unclosed: open.map(({ mark }) => mark) }
}

/** Whether the brace there ends a mark, with a sign of its own that isn’t part of the first. */
function closes(text: string, { kind, start, middle }: FoundMark, brace: number): boolean {
  const from = brace - 2
  return from >= (middle === null ? start + 3 : middle + 2) && text.startsWith(closingOf(kind), from)
}
