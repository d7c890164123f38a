import { ChangeSet, wordReplacements } from '../change-set.ts'

/** The replacement of one stretch of a text, told by words. */
export const replacementByWords = (content: string, from: number, to: number, insert: string): ChangeSet =>
  ChangeSet.of(wordReplacements(content, from, to, insert), content.length)
