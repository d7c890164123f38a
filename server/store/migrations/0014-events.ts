/**
 * What has happened, in order. The number is the row's own: nothing but the oldest rows is ever deleted, and never the
 * newest, so that SQLite gives none twice. Nothing here refers to another table, since an event outlives what it is
 * about. Ids are kept as 16 bytes where they are UUIDs, which is why their columns take any type.
 */
export default `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  owner_id ANY NOT NULL,
  document_id ANY,
  revision INTEGER,
  subject_id ANY,
  principal_kind TEXT NOT NULL,
  principal_id ANY,
  principal_name TEXT
) STRICT;
`
