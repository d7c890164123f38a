/** Rounds of review, who has finished one, and when a visitor read a text to its end. One round of a document runs at a time. */
export default `
CREATE TABLE rounds (
  id TEXT PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  note TEXT,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX rounds_by_document ON rounds (document, created_at DESC);
CREATE UNIQUE INDEX open_rounds ON rounds (document) WHERE ended_at IS NULL;
CREATE TABLE finished_reviews (
  round TEXT NOT NULL REFERENCES rounds (id) ON DELETE CASCADE,
  link TEXT NOT NULL REFERENCES share_links (id) ON DELETE CASCADE,
  reviewer TEXT NOT NULL,
  name TEXT NOT NULL,
  finished_at INTEGER NOT NULL,
  PRIMARY KEY (round, link, reviewer)
) STRICT, WITHOUT ROWID;
CREATE INDEX finished_reviews_by_link ON finished_reviews (link);
ALTER TABLE link_visits ADD COLUMN read_at INTEGER;
`
