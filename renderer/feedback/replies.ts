import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/** What a suggestion was answered, as far as that is known. */
export const repliesTo = ({ replies = [] }: Suggestion): readonly Comment[] => replies

/** The suggestions, of which one has other replies. */
export const withReplies = (
  suggestions: readonly Suggestion[],
  id: string,
  change: (replies: readonly Comment[]) => readonly Comment[],
): readonly Suggestion[] =>
  suggestions.map((one) => (one.id === id ? { ...one, replies: [...change(repliesTo(one))] } : one))

/** Whether the last word on a decided suggestion is somebody else’s, and was said after the decision. */
export function isAnsweredSince(suggestion: Suggestion): boolean {
  const last = repliesTo(suggestion).at(-1)
  const { resolved_at } = suggestion
  return last !== undefined && !last.mine && resolved_at !== null && last.created_at > resolved_at
}
