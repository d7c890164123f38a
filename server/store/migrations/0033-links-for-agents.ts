/** Links by which agents may work on the document, by the Model Context Protocol. */
export default 'ALTER TABLE share_links ADD COLUMN allows_agents INTEGER NOT NULL DEFAULT 0;'
