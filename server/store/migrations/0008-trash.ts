/**
 * Documents that were put away, and for how many days each user keeps such; null means for good. A table of its own
 * rather than a column, which would stand behind the long text.
 */
export default `
CREATE TABLE trash (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  deleted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX trash_by_age ON trash (deleted_at DESC);
ALTER TABLE users ADD COLUMN trash_days INTEGER DEFAULT 30;
`
