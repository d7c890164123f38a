import type { DesktopDrafts } from '../../server/contract/desktop.ts'
import type { Draft, DraftStore } from '../editor/drafts.ts'
import { draftPrefix, type DraftStorage } from '../feedback/feedback-drafts.ts'

/** Texts that the server hasn’t got yet, kept by the desktop. */
export function desktopDrafts(drafts: DesktopDrafts): DraftStore {
  const key = (documentId: string, writer: string) => `text:${documentId}:${writer}`
  return {
    put: (draft) => drafts.keep(key(draft.documentId, draft.writer), JSON.stringify(draft)),
    delete: (documentId, writer) => drafts.forget(key(documentId, writer)),
    list: async (documentId) =>
      (await drafts.list(key(documentId, ''))).map(([, text]) => JSON.parse(text) as Draft),
  }
}

/**
 * Storage for comments that aren’t sent yet: the browser’s, which all windows share, made to hold what the desktop
 * kept, under whatever address the app was used then. From now on both are told.
 */
export async function desktopStorage(drafts: DesktopDrafts, browsers: Storage): Promise<DraftStorage> {
  const kept = new Map(await drafts.list(draftPrefix))
  for (const key of Object.keys(browsers)) {
    if (key.startsWith(draftPrefix) && !kept.has(key)) browsers.removeItem(key)
  }
  for (const [key, text] of kept) browsers.setItem(key, text)
  return {
    getItem: (key) => browsers.getItem(key),
    setItem(key, text) {
      drafts.keep(key, text).catch(() => {})
      browsers.setItem(key, text)
    },
    removeItem(key) {
      drafts.forget(key).catch(() => {})
      browsers.removeItem(key)
    },
  }
}
