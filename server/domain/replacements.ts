import { textDiff } from './diff/index.ts'

/** A stretch of a text, and what stands in its place. */
export interface TextReplacement {
  start: number
  end: number
  text: string
}

/** How one text becomes another: in order, each with its place in the text before. */
export const replacements = (before: string, after: string): TextReplacement[] =>
  textDiff(before, after).map(({ fromA, toA, fromB, toB }) => ({
    start: fromA,
    end: toA,
    text: after.slice(fromB, toB),
  }))
