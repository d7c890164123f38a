/** When a suggestion's author last changed its words or its place, so that whoever accepts it can say what they saw. */
export default `
ALTER TABLE suggestions ADD COLUMN edited_at INTEGER;
`
