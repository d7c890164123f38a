/**
 * Of an event by which a comment or a suggestion went: the guests, as a JSON list, whom the document’s owner had hidden by
 * then, and because of whom others didn’t see it. Null for all others.
 */
export default 'ALTER TABLE events ADD COLUMN hidden_authors TEXT;'
