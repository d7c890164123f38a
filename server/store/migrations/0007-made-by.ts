/**
 * Whose doing a record is, beyond its author: the name of the API key it was made with, which stays when the key is
 * deleted, and of a version, who suggested what was accepted, as a JSON list of names.
 */
export default `
ALTER TABLE comments ADD COLUMN key_name TEXT;
ALTER TABLE suggestions ADD COLUMN key_name TEXT;
ALTER TABLE versions ADD COLUMN key_name TEXT;
ALTER TABLE versions ADD COLUMN suggested_by TEXT;
UPDATE comments SET key_name = (SELECT name FROM api_keys k WHERE 'key:' || k.id = author_key)
  WHERE author_key LIKE 'key:%';
UPDATE suggestions SET key_name = (SELECT name FROM api_keys k WHERE 'key:' || k.id = author_key)
  WHERE author_key LIKE 'key:%';
UPDATE versions SET key_name = (SELECT name FROM api_keys k WHERE 'key:' || k.id = author_key)
  WHERE author_key LIKE 'key:%';
`
