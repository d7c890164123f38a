// A run of letters and digits, held together by apostrophes and the like; in scripts that put no space between words,
// each character counts, as word processors do it.
const WORDS =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]](?:[.,'’_\-]?[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]])*/gv

/** How many words a text has, in any language. Markdown's signs are none. */
export function countWords(text: string): number {
  WORDS.lastIndex = 0
  let count = 0
  while (WORDS.test(text)) count++
  return count
}
