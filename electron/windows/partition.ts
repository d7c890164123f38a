/** Where the app's pages keep cookies and drafts, apart from whatever else might load a page. */
export const partition = 'persist:galley'
