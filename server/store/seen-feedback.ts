import type { Db } from './database.ts'

/** What others said of a document, and how much of it its owner has seen. */
export function seenFeedbackStore(db: Db) {
  const see = db.prepare<{ document: number; comments: number; suggestions: number }>(
    `INSERT INTO seen_feedback (document, comments, suggestions) VALUES (@document, @comments, @suggestions)
     ON CONFLICT DO UPDATE SET comments = max(comments, excluded.comments),
       suggestions = max(suggestions, excluded.suggestions)`,
  )
  // What is resolved or decided needs nobody's attention any more; what is said of it afterwards does. Replies to
  // suggestions are seen with those.
  const unseen = db
    .prepare<[string], number>(
      `SELECT
         (SELECT count(*) FROM comments c WHERE c.document = d.number
          AND c.created_at > coalesce(CASE WHEN c.suggestion_id IS NULL THEN s.comments ELSE s.suggestions END, 0)
          AND c.author_id IS NOT d.owner_id AND c.resolved_at IS NULL
          AND c.created_at > coalesce((SELECT resolved_at FROM suggestions WHERE id = c.suggestion_id), 0)) +
         (SELECT count(*) FROM suggestions c WHERE c.document = d.number AND c.created_at > coalesce(s.suggestions, 0)
          AND c.author_id IS NOT d.owner_id AND c.status = 'pending')
       FROM documents d LEFT JOIN seen_feedback s ON s.document = d.number WHERE d.id = ?`,
    )
    .pluck()

  return {
    /** Up to these moments it is seen; what was seen before stays so. */
    see: (
      document: { number: number },
      { comments, suggestions }: { comments: number; suggestions: number },
    ) => void see.run({ document: document.number, comments, suggestions }),
    /** How many comments, replies and suggestions of others haven't been seen. */
    countUnseen: (id: string) => unseen.get(id) ?? 0,
  }
}
