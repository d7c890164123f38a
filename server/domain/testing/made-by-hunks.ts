import type { Hunk } from '../hunk.ts'

/** What some changes make of a text, with the words that another text has for them. */
export const madeByHunks = (before: string, after: string, hunks: readonly Hunk[]) => {
  let [text, at] = ['', 0]
  for (const { fromA, toA, fromB, toB } of hunks) {
    text += before.slice(at, fromA) + after.slice(fromB, toB)
    at = toA
  }
  return text + before.slice(at)
}
