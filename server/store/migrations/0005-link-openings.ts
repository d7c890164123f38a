/** When each share link was opened, and on what kind of device. No address and no header of anybody's is in here. */
export default `
CREATE TABLE link_openings (
  id TEXT PRIMARY KEY,
  link TEXT NOT NULL REFERENCES share_links (id) ON DELETE CASCADE,
  opened_at INTEGER NOT NULL,
  preview INTEGER NOT NULL,
  device TEXT,
  name TEXT
) STRICT;
CREATE INDEX link_openings_by_link ON link_openings (link, opened_at DESC);
CREATE INDEX link_openings_by_age ON link_openings (opened_at);
`
