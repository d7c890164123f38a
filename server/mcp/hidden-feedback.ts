import type { Comment } from '../contract/records/comments.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'

/** What is left of feedback without what guests say whom the document’s owner has hidden, and without their threads. */
export function withoutHidden(
  comments: readonly Comment[],
  suggestions: readonly Suggestion[],
): { comments: Comment[]; suggestions: Suggestion[] } {
  const hidden = new Set(comments.flatMap((one) => (one.hidden ? [one.id] : [])))
  const isShown = ({ id, parent_id }: Comment) =>
    !hidden.has(id) && (parent_id === null || !hidden.has(parent_id))
  return {
    comments: comments.filter(isShown),
    suggestions: suggestions.flatMap(({ replies, ...one }) => {
      if (one.hidden) return []
      return [replies ? { ...one, replies: replies.filter((reply) => !reply.hidden) } : one]
    }),
  }
}

/** How many comments, answers and suggestions are hidden. */
export const hiddenIn = (comments: readonly Comment[], suggestions: readonly Suggestion[]): number =>
  [...comments, ...suggestions, ...suggestions.flatMap(({ replies = [] }) => replies)].filter(
    (one) => one.hidden,
  ).length
