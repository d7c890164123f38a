import type { Comment } from '../../server/contract/records/comments.ts'
import { guestInWords, needsGuestSign } from '../ui/guest-name.ts'

/** Whoever said something. The name is text that they chose. */
export type ShownAuthor = Pick<Comment, 'author_id' | 'author_name' | 'key_name' | 'mine'>

/** Whether to say that somebody is a guest. */
export const isNamedGuest = ({ author_id, author_name, mine }: Omit<ShownAuthor, 'key_name'>): boolean =>
  author_id === null && !mine && needsGuestSign(author_name)

/** An author’s name, for those who hear it. */
export const nameOfAuthor = (author: ShownAuthor): string =>
  author.author_id === null && !author.mine ? guestInWords(author.author_name) : author.author_name
