import { isHidden } from './comments.ts'
import type { Db } from './database.ts'

/** What others said of a document, agents among them, and how much of it its owner has seen. */
export function seenFeedbackStore(db: Db) {
  const see = db.prepare<Record<'document' | 'comments' | 'suggestions' | 'reviews', number>>(
    `INSERT INTO seen_feedback (document, comments, suggestions, reviews)
     VALUES (@document, @comments, @suggestions, @reviews)
     ON CONFLICT DO UPDATE SET comments = max(comments, excluded.comments),
       suggestions = max(suggestions, excluded.suggestions), reviews = max(reviews, excluded.reviews)`,
  )
  // What is resolved or decided needs nobody's attention any more; what is said of it afterwards does. Replies to
  // suggestions are seen with those.
  const unseen = db
    .prepare<[string], number>(
      `SELECT
         (SELECT count(*) FROM comments c WHERE c.document = d.number
          AND c.created_at > coalesce(CASE WHEN c.suggestion_id IS NULL THEN s.comments ELSE s.suggestions END, 0)
          AND (c.author_id IS NOT d.owner_id OR c.key_kind = 'agent') AND c.resolved_at IS NULL AND NOT ${isHidden('c')}
          AND c.created_at > coalesce((SELECT resolved_at FROM suggestions WHERE id = c.suggestion_id), 0)) +
         (SELECT count(*) FROM suggestions c WHERE c.document = d.number AND c.created_at > coalesce(s.suggestions, 0)
          AND (c.author_id IS NOT d.owner_id OR c.key_kind = 'agent') AND c.status = 'pending' AND NOT ${isHidden('c')})
       FROM documents d LEFT JOIN seen_feedback s ON s.document = d.number WHERE d.id = ?`,
    )
    .pluck()
  const unseenReviews = db
    .prepare<[string], number>(
      `SELECT count(*) FROM documents d JOIN rounds r ON r.document = d.number AND r.ended_at IS NULL
       JOIN finished_reviews f ON f.round = r.id JOIN share_links l ON l.id = f.link AND l.revoked_at IS NULL
       LEFT JOIN seen_feedback s ON s.document = d.number
       WHERE d.id = ? AND f.finished_at > coalesce(s.reviews, 0)`,
    )
    .pluck()

  return {
    /** Up to these moments it is seen; what was seen before stays so. */
    see: (
      document: { number: number },
      {
        comments = 0,
        suggestions = 0,
        reviews = 0,
      }: Partial<Record<'comments' | 'suggestions' | 'reviews', number>>,
    ) => void see.run({ document: document.number, comments, suggestions, reviews }),
    /** How many comments, replies and suggestions of others haven't been seen. */
    countUnseen: (id: string) => unseen.get(id) ?? 0,
    /** How many have said that they are done with the round that runs, and the owner hasn’t seen it. */
    countUnseenReviews: (id: string) => unseenReviews.get(id) ?? 0,
  }
}
