/** When a link was last opened again after it had been closed; null where it never was. */
export default 'ALTER TABLE share_links ADD COLUMN open_since INTEGER;'
