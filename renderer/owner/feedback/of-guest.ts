import type { Comment } from '../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'

/** A guest of the document, under a name of theirs: who has said something, or reacted to it. */
export interface NamedGuest {
  guest_id?: string | undefined
  author_name: string
  hidden?: true | undefined
}

/** The guests who have reacted to a comment, each once, but for who wrote it. */
export function reactorsTo({ guest_id, reactions = [] }: Comment): NamedGuest[] {
  const guests = reactions.flatMap(({ guests = [] }) => guests)
  const others = guests.filter((one) => one.guest_id !== guest_id)
  return [
    ...new Map(others.map(({ name, ...one }) => [one.guest_id, { ...one, author_name: name }])).values(),
  ]
}

/** How many reactions of a guest there are among comments. */
export const reactionsOf = (comments: readonly Comment[], guestId: string): number =>
  comments
    .flatMap(({ reactions = [] }) => reactions)
    .filter(({ guests = [] }) => guests.some((one) => one.guest_id === guestId)).length

/** Comments without those of a guest, what answers them, and what the guest thinks of others. */
export function commentsWithout(comments: readonly Comment[], guestId: string): Comment[] {
  const gone = new Set(comments.filter(({ guest_id }) => guest_id === guestId).map(({ id }) => id))
  return comments
    .filter(({ id, parent_id }) => !gone.has(id) && !gone.has(parent_id ?? ''))
    .map((comment) => (reactionsOf([comment], guestId) > 0 ? withoutReactions(comment, guestId) : comment))
}

/** Suggestions without those of a guest, and without what they say and think in answers to others’. */
export const suggestionsWithout = (suggestions: readonly Suggestion[], guestId: string): Suggestion[] =>
  suggestions.flatMap((one) => {
    if (one.guest_id === guestId) return []
    const { replies = [] } = one
    const isIn = replies.some(({ guest_id }) => guest_id === guestId) || reactionsOf(replies, guestId) > 0
    return isIn ? { ...one, replies: commentsWithout(replies, guestId) } : one
  })

function withoutReactions({ reactions = [], ...comment }: Comment, guestId: string): Comment {
  const left = reactions.flatMap(({ guests = [], ...reaction }) => {
    const gone = guests.find((one) => one.guest_id === guestId)
    if (!gone) return { ...reaction, guests }
    const count = reaction.count - 1
    const at = reaction.names.indexOf(gone.name)
    const others = guests.filter((one) => one !== gone)
    return count === 0
      ? []
      : { ...reaction, count, names: reaction.names.toSpliced(at, at < 0 ? 0 : 1), guests: others }
  })
  return left.length === 0 ? comment : { ...comment, reactions: left }
}
