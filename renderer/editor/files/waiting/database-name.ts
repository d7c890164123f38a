/** Where the browser keeps files that wait, for what only wants to know whether there can be any. */
export const waitingFilesDatabase = 'galley-files'
