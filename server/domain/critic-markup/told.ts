import { limits } from '../../contract/limits.ts'
import type { KeptSign, ReadFeedback } from './read.ts'

const counted = (count: number, one: string) =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

/** “3 suggestions and 2 comments”, or an empty text where there are none. Replies aren’t counted. */
export function wordsForFeedback({ edits, threads }: Pick<ReadFeedback, 'edits' | 'threads'>): string {
  return [
    ...(edits.length > 0 ? [counted(edits.length, 'suggestion')] : []),
    ...(threads.length > 0 ? [counted(threads.length, 'comment')] : []),
  ].join(' and ')
}

/** Says what a text has that is more than comes in at once. */
export const tooMuchFeedback = `more than ${counted(limits.importedFeedback, 'suggestion')}, comments and replies, or more than ${counted(limits.importedSigns, 'sign')} of CriticMarkup, which is as much as comes in with one text.`

const because: Record<KeptSign['why'], string> = {
  unclosed: 'it is never closed',
  nested: 'other marks stand in it',
  empty: 'there is nothing in it',
  'no comment': 'no comment follows it',
  'no middle': 'it has no ~> between the old words and the new',
}

/** Says of a sign that it stayed text, and why. */
export const wordsForKept = ({ line, sign, why }: KeptSign): string =>
  `line ${line}: ${sign} stayed text, because ${because[why]}`
