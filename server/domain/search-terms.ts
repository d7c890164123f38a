import { insideWord, unspaced } from './search-words.ts'

/** A word, or several that stand together; `prefix` where the word may go on. */
export interface SearchTerm {
  text: string
  prefix: boolean
  /** What of it may also stand inside of words, folded. */
  inside?: string
}

const eachUnspaced = new RegExp(unspaced.source, 'gu')

// Stretches of bounded length: to normalize a long run of combining marks takes the square of its length.
const greek = /\p{Script=Greek}[\p{Script=Greek}\p{M}]{0,60}/gu
const plainGreek = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ')

/**
 * Text as it goes into the index: characters of scripts without spaces become words of their own, and Greek is
 * written without accents and final sigma, which the tokenizer, unlike Latin accents, would leave.
 */
export function searchable(text: string): string {
  const plain = text.replace(greek, plainGreek)
  return unspaced.test(plain) ? plain.replace(eachUnspaced, ' $& ') : plain
}

const hasWord = /[\p{L}\p{N}\p{Co}]/u

/** What takes longer to type than this takes SQLite very long to find. */
const longest = 1_000
const mostTerms = 50

/**
 * What a person typed, as terms: "quoted words" stand together and as they are, the last word may be a beginning, and
 * words of three letters and more may stand inside of others. Of a very long query, only the first words count.
 */
export function searchTerms(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>()
  const text = query.slice(0, longest).toWellFormed()
  for (const part of text.matchAll(/"([^"]*)"?|([^\s"]+)/gu)) {
    const words = part[1] ?? part[2] ?? ''
    if (!hasWord.test(words) || terms.size === mostTerms) continue
    const isLast = part.index + part[0].length === text.length
    const prefix = isLast && !part[0].endsWith('"')
    const inside = part[1] === undefined ? insideWord(words) : undefined
    terms.set(`${words} ${prefix}`, { text: words, prefix, ...(inside === undefined ? {} : { inside }) })
  }
  return [...terms.values()]
}

const quoted = (text: string) => `"${searchable(text).replaceAll('"', '""').replaceAll('\0', ' ')}"`
const asItIs = ({ text, prefix }: SearchTerm) => `${quoted(text)}${prefix ? ' *' : ''}`

/** FTS5 expressions that find the terms, one for each; each is a quoted string, so nothing in it is an operator. */
export const matchExpressions = (terms: readonly SearchTerm[]): string[] => terms.map(asItIs)

/** One that finds all of them. */
export const allOf = (expressions: readonly string[]): string => expressions.join(' AND ')

/**
 * FTS5 expressions that find the terms also where they stand inside of words, those that `wordsWith` says there are, up
 * to `most` for all terms together. Undefined if no term can be inside of words.
 */
export function insideExpressions(
  terms: readonly SearchTerm[],
  wordsWith: (inside: string, most: number) => readonly string[],
  most: number,
): string[] | undefined {
  const each = terms.filter(({ inside }) => inside !== undefined).length
  if (each === 0) return undefined
  return terms.map((term) => {
    if (term.inside === undefined) return asItIs(term)
    const words = wordsWith(term.inside, Math.ceil(most / each)).map(quoted)
    return `(${[asItIs(term), `${quoted(term.inside)} *`, ...words].join(' OR ')})`
  })
}
