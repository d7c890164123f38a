/** A revoked link opens nothing from that moment on; for a while it is still here, so that it can be brought back. */
export default `
ALTER TABLE share_links ADD COLUMN revoked_at INTEGER;
CREATE INDEX share_links_revoked ON share_links (revoked_at) WHERE revoked_at IS NOT NULL;
`
