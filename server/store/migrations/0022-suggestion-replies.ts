/**
 * Comments that answer a suggestion, when a suggestion was last answered (or an answer changed or taken away), and of
 * what happens to such a comment, which suggestion it answers.
 */
export default `
ALTER TABLE comments ADD COLUMN suggestion_id TEXT REFERENCES suggestions (id) ON DELETE CASCADE;
CREATE INDEX comments_by_suggestion ON comments (suggestion_id, created_at) WHERE suggestion_id IS NOT NULL;
ALTER TABLE suggestions ADD COLUMN replied_at INTEGER;
ALTER TABLE events ADD COLUMN suggestion_id ANY;
`
