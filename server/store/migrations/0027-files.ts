/** Pictures and files of documents. The bytes are in the folder `files`, once for each content, named by its SHA-256. */
export default `
CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  type TEXT NOT NULL,
  width INTEGER,
  height INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  name TEXT NOT NULL,
  blob TEXT NOT NULL REFERENCES blobs (sha256),
  link TEXT,
  author_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (document, name)
) STRICT;
CREATE INDEX files_by_blob ON files (blob);
`
