/**
 * Up to when the owner has seen what others said of each document. What there was before this was counted is taken as
 * seen.
 */
export default `
CREATE TABLE seen_feedback (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  comments INTEGER NOT NULL,
  suggestions INTEGER NOT NULL
) STRICT;
INSERT INTO seen_feedback (document, comments, suggestions)
SELECT number,
  coalesce((SELECT max(created_at) FROM comments WHERE document = number), 0),
  coalesce((SELECT max(created_at) FROM suggestions WHERE document = number), 0)
FROM documents WHERE number IN (SELECT document FROM comments UNION SELECT document FROM suggestions);
`
