import type { Comment } from '../../server/contract/records/comments.ts'
import { cutAtWord } from '../../server/domain/cut-at-word.ts'

/** A first comment with its replies. `place` says what it is about: words, the whole document, or words that are gone. */
export interface Thread {
  id: string
  root: Comment
  replies: Comment[]
  place: 'words' | 'document' | 'detached'
  resolved: boolean
}

const placeRank = { words: 0, document: 1, detached: 2 } as const

/**
 * Comments as threads: those on words in the order of the text, then those on the whole document, then those whose
 * words are gone. Within a thread, and between threads at the same place, the oldest first. A reply whose first
 * comment is missing stands as a thread of its own rather than vanish.
 */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const threads = new Map<string, Thread>()
  const roots = new Set(comments.filter((comment) => comment.parent_id === null).map(({ id }) => id))
  const isRoot = (comment: Comment) => comment.parent_id === null || !roots.has(comment.parent_id)
  for (const root of comments.filter(isRoot)) {
    threads.set(root.id, {
      id: root.id,
      root,
      replies: [],
      place: placeOf(root),
      resolved: root.resolved_at !== null,
    })
  }
  for (const comment of comments) {
    if (!isRoot(comment)) threads.get(comment.parent_id!)!.replies.push(comment)
  }
  for (const thread of threads.values()) thread.replies.sort(byAge)
  return [...threads.values()].sort(
    (a, b) =>
      placeRank[a.place] - placeRank[b.place] ||
      (a.root.range?.start ?? 0) - (b.root.range?.start ?? 0) ||
      (a.root.range?.end ?? 0) - (b.root.range?.end ?? 0) ||
      byAge(a.root, b.root),
  )
}

/** The words of an anchor or range on one line, short enough for a card. */
export function quoteOf(text: string, most = 160): string {
  return cutAtWord(text.replace(/\s+/gu, ' ').trim(), most)
}

function placeOf(comment: Comment): Thread['place'] {
  if (comment.range) return 'words'
  return comment.anchor ? 'detached' : 'document'
}

function byAge(a: Comment, b: Comment): number {
  return a.created_at < b.created_at
    ? -1
    : a.created_at > b.created_at
      ? 1
      : a.id < b.id
        ? -1
        : a.id > b.id
          ? 1
          : 0
}
