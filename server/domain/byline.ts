import type { AuthorKind } from '../contract/records/authors.ts'
import { shownName } from './shown-name.ts'

/** Who made something, as records tell. */
interface Authored {
  /** Null for whoever came by a link and has no account. */
  author_id: string | null
  author_name: string
  author_kind: AuthorKind
  key_name: string | null
}

/**
 * Who made something, in one line that no name can forge: guests call themselves what they like, so a guest always stands
 * as one, with the name between quotes that it can't close. A name alone is that of an account.
 */
export function byline({ author_id, author_name, author_kind, key_name }: Authored): string {
  const name = plainName(author_name)
  if (author_kind === 'guest') return `guest “${name}”`
  if (author_kind === 'person') return name
  // Who came by a link, or with a file.
  if (author_kind === 'agent' && author_id === null && key_name === null) return `agent “${name}”`
  const key = key_name === null ? '' : ` with key “${plainName(key_name)}”`
  return `${name} (by ${author_kind}${key})`
}

/** The same of whoever made a suggestion that a version took in. An older Galley noted only the name. */
export const suggesterLine = ({ name, guest, kind, key_name }: Suggested): string =>
  kind === null
    ? `somebody called “${plainName(name)}”`
    : byline({ author_id: guest === false ? '' : null, author_name: name, author_kind: kind, key_name })

interface Suggested {
  name: string
  guest: boolean | null
  kind: AuthorKind | null
  key_name: string | null
}

/** A name on one line, without what could end the quotes around it. */
export const plainName = (name: string) => withoutQuotes(shownName(name) || 'Untitled')
export const withoutQuotes = (words: string) => words.replace(quotes, '’')
const quotes = /["“”„‟«»″＂〝〞〟❝❞]/g
