/** Users who have stopped all sharing: while a row is here, none of their links opens anything. */
export default `
CREATE TABLE stopped_sharing (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT;
`
