import type { Range } from '../contract/records/anchors.ts'
import { searchTerms } from './search-terms.ts'
import { fold, unspaced, wordsIn } from './search-words.ts'

interface Word extends Range {
  text: string
  folded: string
}

/** As the search index has them: without accents and case, each character of a script without spaces for itself. */
function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const add = (start: number, word: string) =>
    word && words.push({ start, end: start + word.length, text: word, folded: fold(word) })
  for (const { index, 0: run } of wordsIn(text)) {
    let from = 0
    if (unspaced.test(run)) {
      let at = 0
      for (const character of run) {
        if (unspaced.test(character)) {
          add(index + from, run.slice(from, at))
          if (/[\p{L}\p{N}]/u.test(character)) add(index + at, character)
          from = at + character.length
        }
        at += character.length
      }
    }
    add(index + from, run.slice(from))
  }
  return words
}

/** Where something folded stands inside of a word, in the text that has the word. */
function placesInside({ start, end, text, folded }: Word, inside: string): Range[] {
  if (!folded.includes(inside)) return []
  // Each letter with its marks by itself, since folding changes lengths.
  const letters = [...text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)].map(({ index, 0: letter }) => ({
    start: start + index,
    end: start + index + letter.length,
    folded: fold(letter),
  }))
  // Parts of a letter that were written one by one are a letter only together.
  if (letters.map((letter) => letter.folded).join('') !== folded) return [{ start, end }]
  const letterOf = letters.flatMap((letter) => letter.folded.split('').map(() => letter))
  const places: Range[] = []
  for (let at = folded.indexOf(inside); at >= 0; at = folded.indexOf(inside, at + inside.length)) {
    places.push({ start: letterOf[at]!.start, end: letterOf[at + inside.length - 1]!.end })
  }
  return places
}

/** Where the words of a query stand in a short text, in order, those that touch or overlap as one. */
export function searchHits(text: string, query: string): Range[] {
  const words = wordsOf(text)
  const found: Range[] = []
  for (const term of searchTerms(query)) {
    const wanted = wordsOf(term.text)
    if (wanted.length === 0) continue
    const { inside } = term
    if (inside !== undefined) found.push(...words.flatMap((word) => placesInside(word, inside)))
    const isAt = (at: number) =>
      wanted.every(({ folded }, i) => {
        const word = words[at + i]?.folded
        return term.prefix && i === wanted.length - 1 ? word?.startsWith(folded) : word === folded
      })
    for (let at = 0; at + wanted.length <= words.length; at++) {
      if (isAt(at)) found.push({ start: words[at]!.start, end: words[at + wanted.length - 1]!.end })
    }
  }
  const hits: Range[] = []
  for (const hit of found.toSorted((a, b) => a.start - b.start)) {
    const last = hits.at(-1)
    if (last && hit.start <= last.end) last.end = Math.max(last.end, hit.end)
    else hits.push(hit)
  }
  return hits
}
