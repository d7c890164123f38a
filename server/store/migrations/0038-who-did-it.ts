/**
 * Who resolved a comment, decided a suggestion, asked for a round, made a link or put a document into the trash: a JSON
 * object of what says who an author is. Null where nobody has, and of what was done before this was noted.
 */
export default `
ALTER TABLE comments ADD COLUMN resolved_by TEXT;
ALTER TABLE suggestions ADD COLUMN resolved_by TEXT;
ALTER TABLE rounds ADD COLUMN asked_by TEXT;
ALTER TABLE share_links ADD COLUMN made_by TEXT;
ALTER TABLE trash ADD COLUMN deleted_by TEXT;
`
