const wordCharacters = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu
/** Words of which something shorter than themselves can be looked for. */
const longerWords = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]{3,}/gu

// Scripts written without spaces: the tokenizer would take a whole sentence for one word.
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Fewer letters than these stand inside of nearly every text. */
export const leastInside = 3
/** What is longer is no word anybody looks into: keys, addresses, pictures as text. */
const longestWord = 64
/** In a longer text most words have been there before; and whoever fills one with made-up words takes no more room. */
export const readUpTo = 2_000_000
export const mostWords = 20_000

/** A word without accents and case, as the search index has it. */
export const fold = (word: string) =>
  word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** The stretches of letters and digits. */
export const wordsIn = (text: string) => text.matchAll(wordCharacters)

/**
 * The different words inside of which one may look, of a text as it goes into the index: how each stands there first,
 * and folded. Those that are `known` as they stand are passed over.
 */
export function wordsToLookInto(
  text: string,
  known?: ReadonlySet<string>,
  most = mostWords,
): Map<string, string> {
  const words = new Map<string, string>()
  let room = most
  if (room <= 0) return words
  for (const word of text.slice(0, readUpTo).match(longerWords) ?? []) {
    if (word.length > longestWord || words.has(word) || known?.has(word)) continue
    words.set(word, fold(word))
    if (--room === 0) break
  }
  return words
}

/** What of a word that was looked for may stand inside of others, folded; undefined if it isn't one word or too short. */
export function insideWord(text: string): string | undefined {
  const [first, second] = [...wordsIn(text)]
  if (!first || second || unspaced.test(first[0]) || first[0].length > longestWord) return undefined
  const folded = fold(first[0])
  return [...folded].length >= leastInside ? folded : undefined
}
