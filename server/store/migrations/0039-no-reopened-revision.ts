/** What took a decision back is noted with it (`undone` beside the anchor); nothing has read this. */
export default `
ALTER TABLE suggestions DROP COLUMN reopened_revision;
`
