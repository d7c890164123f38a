import { commonEnds } from './common-ends.ts'

/** What a line becomes by the line of signs below it, where its words stay. */
export interface MadeHeading {
  /** 0 of plain text. */
  level: number
  words: string
}

const signsBelow = /^ {0,3}(?<sign>[=-])\k<sign>*[ \t]*$/

/** Null where it is another change. */
export function madeHeading(
  before: string,
  original: string,
  suggested: string,
  after: string,
): MadeHeading | null {
  const { head, tail } = commonEnds(original, suggested)
  const start = before + original.slice(0, head)
  const end = original.slice(original.length - tail) + after
  // The paragraph that it is in.
  const begin = start.slice(start.lastIndexOf('\n\n') + 1).replace(/^\n/, '')
  const rest = end.split(/\r?\n/)
  const [was, will] = [original, suggested].map((text) =>
    (begin + text.slice(head, text.length - tail) + rest[0]!).trim(),
  )
  const [old, now] = [was!, will!].map(readHeading)
  if (old!.words !== now!.words || old!.level === now!.level) return null
  return now!
}

function readHeading(text: string): MadeHeading {
  const at = text.lastIndexOf('\n')
  const words = text.slice(0, Math.max(at, 0))
  const { sign } = signsBelow.exec(text.slice(at + 1))?.groups ?? {}
  if (sign === undefined || at < 0 || /(?:^|\n)[^\S\n]*(?:\n|$)/.test(words)) return { level: 0, words: text }
  return { level: sign === '=' ? 1 : 2, words }
}
