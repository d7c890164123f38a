import type { DesktopDrafts } from '../../server/contract/desktop.ts'
import {
  draftsOf,
  type Draft,
  type DraftChanges,
  type DraftStore,
  type WholeDraft,
} from '../editor/drafts.ts'
import { draftPrefix, type DraftStorage } from '../feedback/feedback-drafts.ts'

/** Which of the two files of a base is meant: a new one never takes the place of one that changes still lead on from. */
type Slot = 0 | 1

/** Texts that the server hasn’t got yet, kept by the desktop. */
export function desktopDrafts(drafts: DesktopDrafts): DraftStore {
  const textKey = (documentId: string, writer: string) => `text:${documentId}:${writer}`
  const baseKey = (documentId: string, writer: string, slot: Slot) => `base:${documentId}:${writer}:${slot}`
  const written = new Map<string, { base: Draft['base']; slot: Slot }>()
  return {
    async put({ base, ...draft }) {
      const { documentId, writer } = draft
      const text = textKey(documentId, writer)
      const last = written.get(text)
      const slot = last?.base === base ? last.slot : last?.slot === 0 ? 1 : 0
      if (last?.base !== base) await drafts.keep(baseKey(documentId, writer, slot), base.content)
      await drafts.keep(text, JSON.stringify({ ...draft, slot }))
      written.set(text, { base, slot })
    },
    async delete(documentId, writer) {
      // Its changes go last: where they are gone, nothing is left.
      for (const slot of [0, 1] as const) await drafts.forget(baseKey(documentId, writer, slot))
      await drafts.forget(textKey(documentId, writer))
      written.delete(textKey(documentId, writer))
    },
    async list(documentId) {
      const bases = new Map(await drafts.list(`base:${documentId}:`))
      const texts = (await drafts.list(textKey(documentId, ''))).map(
        ([, text]) => JSON.parse(text) as WholeDraft | (DraftChanges & { slot: Slot }),
      )
      return draftsOf(texts, ({ writer, slot }) => {
        const content = bases.get(baseKey(documentId, writer, slot))
        return content === undefined ? undefined : { content }
      })
    },
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
