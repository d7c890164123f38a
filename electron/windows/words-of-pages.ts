import { forgetChannel, keepChannel, keptChannel } from '../bridge/channels.ts'
import { answer } from '../bridge/ipc.ts'
import { openKeptWords, type KeptWords } from './kept-words.ts'

/** Keeps words for the app's pages. */
export function keepWordsOfPages(folder: string, isOwn: (url: string) => boolean): KeptWords {
  const words = openKeptWords(folder)
  answer(keepChannel, isOwn, (_event, key, text) => words.keep(key, text))
  answer(forgetChannel, isOwn, (_event, key) => words.forget(key))
  answer(keptChannel, isOwn, (_event, prefix) => words.list(prefix))
  return words
}
