import type { KeyKind } from '../contract/records/authors.ts'

/**
 * Who made a change. `id` is the user, null for a guest. `key` names the channel they came by
 * (`session:…`, `key:…`, `guest:…`, `cli:…`): it decides what a guest may edit and which edits are one version,
 * and never leaves the server.
 */
export interface Author {
  id: string | null
  name: string
  key: string
  /** What the API key is called that they came with, and whether an agent has it or a script; agents come by links, too. */
  keyName?: string
  keyKind?: KeyKind
  /** Whether they came by a link that hides people: other recipients aren’t told what they call themselves. */
  hidden?: boolean
}

/** An author by the names of the columns that say who made a record, as it also notes who did something to it. */
export interface NotedAuthor {
  author_id: string | null
  author_key: string
  author_name: string
  key_name: string | null
  key_kind: KeyKind | null
}

/** Whoever made a record, as its columns have it: who, by which channel, by which name, and with which key. */
export const authorColumns = ({ id, key, name, keyName, keyKind }: Author) =>
  [id, key, name, keyName ?? null, keyKind ?? null] as const

export function noteAuthor({ id, key, name, keyName, keyKind }: Author): string {
  const noted: NotedAuthor = {
    ...{ author_id: id, author_key: key, author_name: name },
    ...{ key_name: keyName ?? null, key_kind: keyKind ?? null },
  }
  return JSON.stringify(noted)
}

export const readNoted = (noted: string) => JSON.parse(noted) as NotedAuthor
