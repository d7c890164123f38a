/**
 * The different words of all texts, with an index of their letters three by three, so that a search finds what stands
 * inside of words. What was indexed before gets its words in the background: such documents are due. A sweep, which
 * forgets the words that no text has any more, goes on after the word that its row says.
 */
export default `
CREATE TABLE search_words (
  number INTEGER PRIMARY KEY,
  word TEXT NOT NULL UNIQUE
) STRICT;
CREATE VIRTUAL TABLE search_words_fts USING fts5 (
  word,
  content = 'search_words', content_rowid = 'number',
  columnsize = 0,
  tokenize = 'trigram'
);
CREATE TABLE search_words_due (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE
) STRICT;
INSERT INTO search_words_due (document) SELECT number FROM documents WHERE indexed = 1;
CREATE TABLE search_words_sweep (after INTEGER NOT NULL) STRICT;
CREATE TRIGGER search_words_to_forget AFTER DELETE ON documents BEGIN
  DELETE FROM search_words_sweep;
  INSERT INTO search_words_sweep (after) VALUES (0);
END;
`
