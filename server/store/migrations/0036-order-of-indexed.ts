/**
 * Documents that the search index hasn't caught up with are in no order of their time, which each change of one would
 * move, and so write a page more. They are few, and sorted when they are listed.
 */
export default `
DROP INDEX documents_by_update;
CREATE INDEX documents_by_update ON documents (owner_id, updated_at DESC, id) WHERE indexed = 1;
`
