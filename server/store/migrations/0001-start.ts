/**
 * Times are milliseconds since 1970 in UTC. `documents.number` is the rowid, so that other tables and the search
 * index hold eight bytes instead of a UUID, and the long text stands last, so that a list never reads it.
 */
export default `
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  theme TEXT NOT NULL DEFAULT 'system',
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  revision INTEGER NOT NULL,
  indexed INTEGER NOT NULL DEFAULT 0,
  hash INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX documents_by_update ON documents (owner_id, updated_at DESC, id);
CREATE INDEX documents_unindexed ON documents (number) WHERE indexed = 0;

-- The log: the change that made each revision from the one before. The first revision has no entry.
CREATE TABLE changes (
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  author_key TEXT NOT NULL,
  client_id TEXT,
  length INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  changes TEXT NOT NULL,
  PRIMARY KEY (document, revision)
) STRICT, WITHOUT ROWID;

-- The newest version of a document has no text of its own: it is the document's. Each older one has, so that
-- none depends on the log or on another version.
CREATE TABLE versions (
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  author_name TEXT NOT NULL,
  author_key TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  added INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  deflated INTEGER NOT NULL DEFAULT 0,
  content BLOB,
  PRIMARY KEY (document, revision)
) STRICT;

CREATE TABLE share_links (
  id TEXT PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  permission TEXT NOT NULL,
  label TEXT,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX share_links_by_document ON share_links (document, created_at DESC);

CREATE TABLE comments (
  id TEXT PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  parent_id TEXT REFERENCES comments (id) ON DELETE CASCADE,
  author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  author_key TEXT NOT NULL,
  author_name TEXT NOT NULL,
  anchor TEXT,
  range_start INTEGER,
  range_end INTEGER,
  resolved_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX comments_by_document ON comments (document, created_at, id);
CREATE INDEX comments_by_parent ON comments (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE suggestions (
  id TEXT PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  author_key TEXT NOT NULL,
  author_name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  anchor TEXT,
  range_start INTEGER,
  range_end INTEGER,
  created_at INTEGER NOT NULL,
  resolved_at INTEGER,
  note TEXT,
  original_text TEXT NOT NULL,
  suggested_text TEXT NOT NULL
) STRICT;
CREATE INDEX suggestions_by_document ON suggestions (document, created_at, id);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  access TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at DESC);

CREATE TABLE sessions (
  digest BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tickets (
  digest BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The rendered page of a document's newest rendered revision.
CREATE TABLE renders (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  renderer TEXT NOT NULL,
  facts TEXT NOT NULL,
  html TEXT NOT NULL
) STRICT;

-- Holds the words but no text of its own; the documents have that.
CREATE VIRTUAL TABLE documents_fts USING fts5 (
  title, content,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO documents_fts (documents_fts, rank) VALUES ('rank', 'bm25(8.0, 1.0)');
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  DELETE FROM documents_fts WHERE rowid = old.number;
END;
`
