import type { AuthorKind } from '../../server/contract/records/authors.ts'
import type { Comment } from '../../server/contract/records/comments.ts'
import { needsGuestSign } from './guest-name.ts'

/** Whoever said or did something. The name is text that they chose. */
export type ShownAuthor = Pick<Comment, 'author_id' | 'author_name' | 'key_name'> &
  // Not everything says whose it is; what a browser has kept since an earlier Galley says no kind.
  Partial<Pick<Comment, 'author_kind' | 'author_colour' | 'mine' | 'hidden'>>

/** What did something instead of a person. */
export interface ProgramAuthor {
  kind: 'agent' | 'script'
  name: string
  /** The word that says so beside its name. */
  sign: 'agent' | 'guest agent' | 'script'
}

/**
 * The agent or the script that did something; null where a person did. It is called as its key is, whoever the key was
 * made for; one that came by a link as its program says, one that was started without a key as whoever started it.
 */
export function programOf({
  author_id,
  author_kind,
  author_name,
  key_name,
}: ShownAuthor): ProgramAuthor | null {
  const kind = author_kind ?? (key_name === null ? null : 'script')
  if (kind !== 'agent' && kind !== 'script') return null
  const sign = kind === 'agent' && author_id === null ? 'guest agent' : kind
  return { kind, name: key_name ?? author_name, sign }
}

/** Whether to say that somebody is a guest. */
export const isNamedGuest = (author: ShownAuthor): boolean =>
  author.author_id === null &&
  !author.mine &&
  programOf(author) === null &&
  needsGuestSign(author.author_name)

/** What whoever did something is called wherever that is said, and what they are unless it is a person. */
export function namedAs(author: ShownAuthor): { name: string; sign: ProgramAuthor['sign'] | 'guest' | null } {
  const { name, sign } = programOf(author) ?? { name: author.author_name, sign: null }
  return { name, sign: sign ?? (isNamedGuest(author) ? 'guest' : null) }
}

/**
 * The same in words.
 * @param around what keeps a name from turning what stands around it
 */
export function nameOfAuthor(author: ShownAuthor, around = (name: string) => name): string {
  const { name, sign } = namedAs(author)
  return sign === null ? around(name) : `${around(name)} (${sign})`
}

/** Whether somebody is told who did something: they know what they did in person. */
export const isTold = (by: ShownAuthor): boolean => by.mine !== true || programOf(by) !== null

/** The same of somebody who is here now. */
export function nameOfPresent(
  { name, kind }: { name: string | null; kind: AuthorKind },
  around?: (name: string) => string,
): string | null {
  const author_id = kind === 'guest' ? null : ''
  return name === null
    ? null
    : nameOfAuthor({ author_id, author_name: name, key_name: null, author_kind: kind }, around)
}
