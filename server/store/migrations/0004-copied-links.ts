/** With which address a link was copied last, to know which of those that were handed out have died with one. */
export default `
CREATE TABLE copied_links (
  link TEXT NOT NULL PRIMARY KEY REFERENCES share_links (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`
