/** The header of an answer with places in a document’s text: the revision of that text. */
export const placedHeader = 'galley-revision'
