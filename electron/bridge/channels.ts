// The names under which pages and the main process talk. Every one that pages may use is in `ipc.ts`.

/** To the app's page: show this path. */
export const openChannel = 'galley:open'
/** From the app's page: it listens for paths now. */
export const listeningChannel = 'galley:listening'
/** To the app's page: run this command. */
export const runChannel = 'galley:run'
/** From the app's page: what it can do now. */
export const commandsChannel = 'galley:commands'
/** From the app's page, answered: let the person save this. */
export const exportChannel = 'galley:export'
/** From the app's page: show where something was saved. */
export const showExportChannel = 'galley:show-export'
/** From the app's page, answered: print this document. */
export const printChannel = 'galley:print'
/** From the app's page, answered: copy this with its formatting. */
export const copyChannel = 'galley:copy'
/** From the app's page: this document was opened there, or has this title now. */
export const noteRecentChannel = 'galley:note-recent'
/** From the app's page: this document is gone. */
export const forgetRecentChannel = 'galley:forget-recent'
/** From the app's page, answered: what was chosen of the desktop's own, and how it stands. */
export const settingsChannel = 'galley:settings'
/** From the app's page, answered: choose something else. */
export const changeSettingsChannel = 'galley:change-settings'
/** To the app's page: files were opened and can be taken. */
export const filesChannel = 'galley:files'
/** From the app's page: it takes opened files from now on. */
export const filesWantedChannel = 'galley:files-wanted'
/** From the app's page, answered: which files there are. */
export const takeFilesChannel = 'galley:take-files'
/** From the app's page, answered: what is in one of them. */
export const readFileChannel = 'galley:read-file'
/** From the app's page: what became of one of them. */
export const finishFileChannel = 'galley:finish-file'
/** From the app's page, answered: let the person choose the program that Cloudflare's tunnels take, or none. */
export const chooseProgramChannel = 'galley:choose-program'
/** From the app's page: let the person choose files. */
export const chooseFilesChannel = 'galley:choose-files'
/** From the app's page: it is light, dark, or as the system is. */
export const themeChannel = 'galley:theme'
/** To the app's page: save what isn't saved yet, and answer with this number. */
export const flushChannel = 'galley:flush'
/** From the app's page: it answers when it is asked to save. */
export const willFlushChannel = 'galley:will-flush'
/** From the app's page: it has nothing left to save. */
export const flushedChannel = 'galley:flushed'
/** From the app's page: keep this draft, forget it, list those that are kept. */
export const keepDraftChannel = 'galley:keep-draft'
export const forgetDraftChannel = 'galley:forget-draft'
export const listDraftsChannel = 'galley:list-drafts'
/** From the app's page: it shows notices. */
export const noticesWantedChannel = 'galley:notices-wanted'
/** To the app's page: a notice, or that one is over. */
export const noticeChannel = 'galley:notice'
/** From the app's page: a notice was put away, or what it offers was chosen. */
export const noticeActedChannel = 'galley:notice-acted'
/** From the app's page, answered: open Chromium's licences. */
export const creditsChannel = 'galley:credits'
/** From the page that says why Galley can't start: what was chosen there. */
export const choiceChannel = 'galley:choice'
