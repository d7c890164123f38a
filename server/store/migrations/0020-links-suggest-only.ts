/** Links to edit whose holders may suggest, but change nothing themselves. */
export default 'ALTER TABLE share_links ADD COLUMN suggest_only INTEGER NOT NULL DEFAULT 0;'
