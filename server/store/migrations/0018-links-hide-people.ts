/** Links whose holders and the recipients of others aren’t told of each other. */
export default 'ALTER TABLE share_links ADD COLUMN hides_people INTEGER NOT NULL DEFAULT 0;'
