import type { Comment } from '../../server/contract/records/comments.ts'
import { guestInWords, needsGuestSign } from '../ui/guest-name.ts'

/** Whoever said something. The name is text that they chose. */
export type ShownAuthor = Pick<Comment, 'author_id' | 'author_name' | 'key_name' | 'mine'> &
  // What a browser has kept since an earlier Galley doesn’t say it.
  Partial<Pick<Comment, 'author_kind' | 'hidden'>>

/**
 * What the agent is called that wrote something; null where none did. It writes for whoever made its key; one that came by
 * a link is called as its program says, one that was started without a key as whoever started it.
 */
export const agentOf = ({ author_kind, author_name, key_name }: ShownAuthor): string | null =>
  author_kind === 'agent' ? (key_name ?? author_name) : null

/** Whether to say that somebody is a guest. */
export const isNamedGuest = ({
  author_id,
  author_name,
  mine,
}: Pick<ShownAuthor, 'author_id' | 'author_name' | 'mine'>): boolean =>
  author_id === null && !mine && needsGuestSign(author_name)

/** An author’s name, for those who hear it. */
export function nameOfAuthor(author: ShownAuthor): string {
  const agent = agentOf(author)
  if (agent !== null) return author.author_id === null ? `${agent} (guest agent)` : `${agent} (agent)`
  return author.author_id === null && !author.mine ? guestInWords(author.author_name) : author.author_name
}
