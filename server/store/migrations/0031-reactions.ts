/** What people think of a comment: a JSON list of reactions, each with whose it is; null where there are none. */
export default 'ALTER TABLE comments ADD COLUMN reactions TEXT;'
