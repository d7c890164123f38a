import type { KeyKind } from '../contract/records/authors.ts'

/**
 * Who it is that a record is of, whatever they came by: an account by any of its sessions, each key and each agent by
 * itself, a guest by what their browser keeps, and whoever came in a file by their name. Null where that isn't known any
 * more.
 */
export function personOf({
  author_id,
  author_key,
  author_name,
  key_kind,
}: {
  author_id: string | null
  author_key: string
  author_name: string
  key_kind: KeyKind | null
}): string | null {
  if (/^(key|guest):/.test(author_key)) return author_key
  if (author_id === null) return author_key === 'import' ? `import ${key_kind ?? ''} ${author_name}` : null
  return key_kind === 'agent' ? `${author_key} ${author_id}` : personOfUser(author_id)
}

export const personOfUser = (id: string) => `user ${id}`
