import { forgetDraftChannel, keepDraftChannel, listDraftsChannel } from '../bridge/channels.ts'
import { answer } from '../bridge/ipc.ts'
import { openDraftFiles, type DraftFiles } from './draft-files.ts'

/** Keeps drafts for the app's pages. */
export function keepPageDrafts(folder: string, isOwn: (url: string) => boolean): DraftFiles {
  const drafts = openDraftFiles(folder)
  answer(keepDraftChannel, isOwn, (_event, key, text) => drafts.keep(key, text))
  answer(forgetDraftChannel, isOwn, (_event, key) => drafts.forget(key))
  answer(listDraftsChannel, isOwn, (_event, prefix) => drafts.list(prefix))
  return drafts
}
