import type { Comment } from '../../server/contract/records.ts'

/** Whoever said something. The name is text that they chose. */
export type ShownAuthor = Pick<Comment, 'author_id' | 'author_name' | 'key_name' | 'mine'>

/** Whether to say that somebody is a guest: by name alone they might be anybody, the owner too. */
export const isNamedGuest = ({ author_id, author_name, mine }: ShownAuthor): boolean =>
  author_id === null && !mine && author_name.trim() !== 'Guest'

/** An author’s name, for those who hear it. */
export const nameOfAuthor = (author: ShownAuthor): string =>
  isNamedGuest(author) ? `${author.author_name} (guest)` : author.author_name
