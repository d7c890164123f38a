/** What owners call versions. */
export default 'ALTER TABLE versions ADD COLUMN name TEXT;'
