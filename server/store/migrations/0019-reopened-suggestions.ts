/**
 * What a decision did, so that it can be taken back: at which revision, and where the suggested words stood in it
 * and with how many others it was made; at which revision it was taken back; and when it was changed last.
 */
export default `
ALTER TABLE suggestions ADD COLUMN decided_revision INTEGER;
ALTER TABLE suggestions ADD COLUMN applied_start INTEGER;
ALTER TABLE suggestions ADD COLUMN applied_end INTEGER;
ALTER TABLE suggestions ADD COLUMN decided_with INTEGER;
ALTER TABLE suggestions ADD COLUMN reopened_revision INTEGER;
ALTER TABLE suggestions ADD COLUMN changed_at INTEGER;
`
