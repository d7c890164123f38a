import type { AuthorKind, KeyKind } from '../contract/records/authors.ts'

/**
 * What somebody is who has made a record. `author_key` names the channel they came by, which stays when an account or a
 * key is deleted. A key whose kind isn’t known was made when all were scripts’.
 */
export function authorKind({
  author_key,
  key_kind,
}: {
  author_key: string
  key_kind: KeyKind | null
}): AuthorKind {
  if (author_key.startsWith('key:')) return key_kind ?? 'script'
  // What came in a file in the account’s own name is noted as the account’s.
  if (author_key === 'import') return key_kind ?? 'guest'
  // Who comes by a link, or was started on this machine, has no key, but may be an agent.
  if (key_kind === 'agent') return 'agent'
  return author_key.startsWith('guest:') ? 'guest' : 'person'
}
