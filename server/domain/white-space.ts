/*
 * White space at the edges of words that anybody may have written. As a regular expression, `\s+$` takes the square of the
 * length of any white space inside: 200,000 blanks before a letter hold up whoever looks for minutes.
 */

export const spaceBefore = (text: string): string => text.slice(0, text.length - text.trimStart().length)

export const spaceBehind = (text: string): string => text.slice(text.trimEnd().length)

/** The same of its last line alone. */
export function blanksBehind(text: string): string {
  const space = spaceBehind(text)
  return space.slice(space.lastIndexOf('\n') + 1)
}

export const lineFeedsIn = (text: string): number => text.split('\n').length - 1
