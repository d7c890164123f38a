/** A word, or several that stand together; `prefix` where the word may go on. */
export interface SearchTerm {
  text: string
  prefix: boolean
}

// Scripts written without spaces: the tokenizer would take a whole sentence for one word.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const eachUnspaced = new RegExp(unspaced.source, 'gu')

/** Text as it goes into the index: characters of scripts without spaces become words of their own. */
export const searchable = (text: string): string =>
  unspaced.test(text) ? text.replace(eachUnspaced, ' $& ') : text

const hasWord = /[\p{L}\p{N}\p{Co}]/u

/** What a person typed, as terms: "quoted words" stand together, and the last bare word may be a beginning. */
export function searchTerms(query: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const part of query.matchAll(/"([^"]*)"?|([^\s"]+)/gu)) {
    const text = part[1] ?? part[2] ?? ''
    if (hasWord.test(text)) terms.push({ text, prefix: false })
  }
  const last = terms.at(-1)
  if (last && !/["\s]$/.test(query)) last.prefix = true
  return terms
}

/** An FTS5 expression that finds all the terms; each is a quoted string, so nothing in it is an operator. */
export const matchExpression = (terms: readonly SearchTerm[]): string =>
  terms
    .map(
      ({ text, prefix }) =>
        `"${searchable(text).replaceAll('"', '""').replaceAll('\0', ' ')}"${prefix ? ' *' : ''}`,
    )
    .join(' AND ')
