/**
 * Guests of whom a document’s owner has said something: how they are called there, and whether what they say is hidden.
 * `own_name` is what they last called themselves.
 */
export default `
CREATE TABLE guests (
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  author_key TEXT NOT NULL,
  name TEXT,
  own_name TEXT NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document, author_key)
) STRICT, WITHOUT ROWID;
`
