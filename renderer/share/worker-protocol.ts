/** What page and worker say to each other, and what the server says of its pages. */

/** In a header of this name the server says what a page of its own is; whatever hasn't got it is somebody else's. */
export const pageHeader = 'galley-page'
/** Says in the header of a share page until when its link works; absent where that is for ever. */
export const untilHeader = 'galley-until'

/** Says in the header of what is kept when it was. */
export const atHeader = 'galley-kept-at'

/** So long the server may take to answer, in milliseconds, before what is kept is shown: a machine that sleeps doesn’t say so. */
export const patience = 1_500

/** So long a page is kept after it was last read from the server. */
export const keptFor = 30 * 24 * 60 * 60 * 1000

/** The page asks its worker to keep files and, with `page`, itself: then the first file is its script. */
export interface KeepMessage {
  type: 'keep'
  files: string[]
  page: boolean
}

/** Where a link's page and its files are kept. */
export const cacheName = (token: string) => `galley-share ${token}`

/** The last part of a share page's address. */
export const tokenOf = (address: string) => new URL(address).pathname.split('/').at(-1) ?? ''

/** Removes all of a link's page from this browser. */
export const forgetPage = (token: string): Promise<unknown> =>
  'caches' in globalThis ? caches.delete(cacheName(token)) : Promise.resolve(false)
