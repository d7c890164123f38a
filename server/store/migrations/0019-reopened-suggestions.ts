/** What a decision did, so that it can be taken back: at which revision, and where the suggested words stood in it; and when it was changed last. */
export default `
ALTER TABLE suggestions ADD COLUMN decided_revision INTEGER;
ALTER TABLE suggestions ADD COLUMN applied_start INTEGER;
ALTER TABLE suggestions ADD COLUMN applied_end INTEGER;
ALTER TABLE suggestions ADD COLUMN changed_at INTEGER;
`
