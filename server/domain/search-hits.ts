import type { Range } from './anchor.ts'
import { searchTerms, unspaced } from './search-terms.ts'

const wordCharacters = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu

interface Word extends Range {
  folded: string
}

/** As the search index has them: without accents and case, each character of a script without spaces for itself. */
function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const add = (start: number, word: string) =>
    word && words.push({ start, end: start + word.length, folded: fold(word) })
  for (const { index, 0: run } of text.matchAll(wordCharacters)) {
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

const fold = (word: string) =>
  word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** Where the words of a query stand in a short text, in order, those that touch or overlap as one. */
export function searchHits(text: string, query: string): Range[] {
  const words = wordsOf(text)
  const found: Range[] = []
  for (const term of searchTerms(query)) {
    const wanted = wordsOf(term.text)
    if (wanted.length === 0) continue
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
