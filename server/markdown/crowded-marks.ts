/**
 * What is drawn over the letter before it, or not at all. Browsers take longer the more of it there is, by the square and more; no
 * language has more than a few at one letter, and of those made for the look of it none has a hundred.
 */
const drawnOver = String.raw`[\p{M}\p{Emoji_Modifier}\p{Cf}]`
const mark = /[\p{M}\p{Emoji_Modifier}]/u
const isOne = new RegExp(`^${drawnOver}$`, 'u')
/** A hundred of it at one letter, or more. */
const crowd = new RegExp(`${drawnOver}{100,}`, 'gu')
/** Most texts have none of it. */
const mayHold = new RegExp(drawnOver, 'u')

export const crowdsIn = (text: string) => (mayHold.test(text) ? [...text.matchAll(crowd)] : [])
/** Whether one character, whole, may be of a crowd. */
export const isOfCrowd = (character: string): boolean => isOne.test(character)

/** What there is, in words. */
export function wordsOfCrowd(marks: string): string {
  const count = [...marks].length.toLocaleString('en')
  return `${count} ${mark.test(marks) ? 'combining marks' : 'invisible characters'}`
}

/** A text as it may be drawn anywhere: with crowds of marks said in words. */
export const withoutCrowds = (text: string): string =>
  mayHold.test(text) ? text.replace(crowd, (marks) => `[${wordsOfCrowd(marks)}]`) : text

const shownAttribute = / (?:title|alt|aria-label)="[^"]*"/g

/** What stands in the text of some HTML for a crowd, or for a part of it that has a tag in between; that part says nothing. */
type Instead = (words: string, part: string) => string

/**
 * The same in finished HTML, where tags within a crowd don’t end it.
 * @param notText what is no text, in brackets
 */
export function withoutCrowdsInHtml(html: string, notText: RegExp, instead: Instead): string {
  if (!mayHold.test(html)) return html
  // By turns text and what is none.
  const pieces = html.split(notText)
  const crowds = crowdsIn(pieces.filter((_, i) => i % 2 === 0).join(''))
  let [said, at, next] = ['', 0, 0]
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 1) {
      said += piece.replace(shownAttribute, withoutCrowds)
      continue
    }
    let from = 0
    for (let one; (one = crowds[next]) && one.index < at + piece.length;) {
      const [start, end] = [one.index - at, one.index - at + one[0].length]
      said += piece.slice(from, Math.max(start, 0))
      from = Math.min(end, piece.length)
      const words = start >= 0 ? `<span class="crowd">[${wordsOfCrowd(one[0])}]</span>` : ''
      said += instead(words, piece.slice(Math.max(start, 0), from))
      if (end > piece.length) break
      next++
    }
    said += piece.slice(from)
    at += piece.length
  }
  return said
}
