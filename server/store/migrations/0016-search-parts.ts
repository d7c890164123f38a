/**
 * Long texts stand in a search index of their own, in parts, each of the revision that is said. Those that were indexed
 * as a whole are indexed anew.
 */
export default `
CREATE TABLE search_parts (
  number INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  UNIQUE (document, part)
) STRICT;
CREATE VIRTUAL TABLE search_parts_fts USING fts5 (
  title, content,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO search_parts_fts (search_parts_fts, rank) VALUES ('rank', 'bm25(8.0, 1.0)');
CREATE TRIGGER search_parts_removed AFTER DELETE ON search_parts BEGIN
  DELETE FROM search_parts_fts WHERE rowid = old.number;
END;
UPDATE documents SET indexed = 0 WHERE length > 300000;
`
