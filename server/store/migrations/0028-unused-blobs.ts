/** Since when no document has a file of this content any more, as far as somebody has looked. */
export default 'ALTER TABLE blobs ADD COLUMN unused_since INTEGER;'
