/**
 * The beginning of each text, for what a list says of it. A table of its own: to read the beginning of a long text,
 * SQLite reads all of it.
 */
export default `
CREATE TABLE document_starts (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
INSERT INTO document_starts (document, text) SELECT number, substr(content, 1, 2000) FROM documents;
`
