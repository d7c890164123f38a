/**
 * A key is a script's or an agent's, and may be for chosen documents only: a JSON list of their ids, null for all. What
 * it made says so, also once the key is deleted.
 */
export default `
ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'script';
ALTER TABLE api_keys ADD COLUMN documents TEXT;
ALTER TABLE comments ADD COLUMN key_kind TEXT;
ALTER TABLE suggestions ADD COLUMN key_kind TEXT;
ALTER TABLE versions ADD COLUMN key_kind TEXT;
ALTER TABLE events ADD COLUMN principal_key_kind TEXT;
`
