/** What an accepted suggestion put into the text where its owner had changed the suggested words first. */
export default 'ALTER TABLE suggestions ADD COLUMN accepted_text TEXT;'
