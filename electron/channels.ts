// The names under which pages and the main process talk. Every one that pages may use is in `ipc.ts`.

/** To the app's page: show this path. */
export const openChannel = 'galley:open'
/** From the app's page: it listens for paths now. */
export const listeningChannel = 'galley:listening'
/** From the app's page: it is light, dark, or as the system is. */
export const themeChannel = 'galley:theme'
/** From the page that says why Galley can't start: what was chosen there. */
export const choiceChannel = 'galley:choice'
