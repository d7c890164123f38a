/**
 * What the revision that a round asks about is called, and up to when the owner has seen who is done. Who was done before
 * this was counted is taken as seen.
 */
export default `
ALTER TABLE rounds ADD COLUMN name TEXT;
ALTER TABLE seen_feedback ADD COLUMN reviews INTEGER NOT NULL DEFAULT 0;
INSERT INTO seen_feedback (document, comments, suggestions, reviews)
SELECT r.document, 0, 0, max(f.finished_at) FROM finished_reviews f JOIN rounds r ON r.id = f.round
WHERE true GROUP BY r.document
ON CONFLICT DO UPDATE SET reviews = excluded.reviews;
`
