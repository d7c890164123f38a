/** Where the browser keeps drafts of texts, for what only wants to know whether there can be any. */
export const draftsDatabase = 'galley'
