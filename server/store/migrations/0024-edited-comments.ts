/** When what a comment says was last changed; resolving it changes `updated_at` alone. */
export default 'ALTER TABLE comments ADD COLUMN edited_at INTEGER;'
