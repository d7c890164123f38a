import { limits } from '../../contract/limits.ts'
import type { NewAnchor } from '../../contract/records/anchors.ts'
import type { Document } from '../../contract/records/documents.ts'
import { CommandError } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

/** So much of what stands around the words is told, as the pages tell it. */
const context = 32

/**
 * The anchor of words in a text: the only place where they stand, or the one of a number.
 * @throws CommandError
 */
export function anchorOf({ content, revision }: Document, words: string, occurrence?: number): NewAnchor {
  const places: number[] = []
  for (
    let at = content.indexOf(words);
    at !== -1;
    at = content.indexOf(words, at + Math.max(words.length, 1))
  ) {
    places.push(at)
    if (places.length === (occurrence ?? 2)) break
  }
  if (places.length === 0)
    throw new CommandError(
      'The text doesn’t have these words. They are looked for exactly, marks of markdown, spaces and line ends included.',
      exitCodes.conflict.code,
    )
  if (occurrence === undefined && places.length > 1)
    throw new CommandError(
      'These words stand in the text more than once. Say which with --occurrence N, or give more of the words around them.',
      exitCodes.conflict.code,
    )
  if (occurrence !== undefined && places.length < occurrence)
    throw new CommandError(
      `The text has these words only ${places.length === 1 ? 'once' : `${places.length} times`}.`,
      exitCodes.conflict.code,
    )
  if (words.length > limits.anchorLength)
    throw new CommandError(
      `Words may be ${limits.anchorLength.toLocaleString('en')} characters long at most.`,
    )
  const start = places.at(-1)!
  const end = start + words.length
  return {
    exact: words,
    prefix: whole(content.slice(Math.max(0, start - context), start)),
    suffix: whole(content.slice(end, end + context)),
    start,
    revision,
  }
}

/** Without the half of a character at either end. */
const whole = (text: string) => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
