/**
 * Answers to requests with an `Idempotency-Key`, for a day. They may hold what the database otherwise has only a digest
 * of (a new key, a guest's cookie), so each is sealed with what its caller sent and nobody else has.
 */
export default `
CREATE TABLE kept_answers (
  name BLOB NOT NULL PRIMARY KEY,
  request BLOB NOT NULL,
  at INTEGER NOT NULL,
  sealed BLOB NOT NULL
) STRICT;
CREATE INDEX kept_answers_by_age ON kept_answers (at);
`
