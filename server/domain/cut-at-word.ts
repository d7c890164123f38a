const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** So much of a text behind a place tells whether a word goes on there. */
const ahead = 64

/**
 * The beginning of a text as it is shown where all of it has no room: whole words and an ellipsis, `most` UTF-16 units
 * together. Only a single word that is longer is cut, between what readers take for two characters.
 */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const at = most - 1
  const near = text.slice(0, at + ahead)
  const whole = text.slice(0, words.segment(near).containing(at)!.index).trimEnd()
  return `${whole || text.slice(0, graphemes.segment(near).containing(at)!.index)}…`
}

/** What is known to end anywhere, without the word in which it may have been cut, and what clings to its front. */
export function withoutLastWord(text: string): string {
  const at = words.segment(text).containing(text.length - 1)?.index ?? 0
  return text
    .slice(0, at)
    .replace(/(?<=^|\s)[\p{P}\p{S}]+$/u, '')
    .trimEnd()
}

/** What is known to begin anywhere, from behind its first word and what clings to the end of that. */
export function withoutFirstWord(text: string): string {
  const to = words.segment(text).containing(0)?.segment.length ?? 0
  return text
    .slice(to)
    .replace(/^[\p{P}\p{S}]+(?=\s|$)/u, '')
    .trimStart()
}
