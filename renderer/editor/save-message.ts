import type { FilesWaiting } from './files/waiting/waiting-files.ts'

/** What a page says about saving. */
export interface SaveMessage {
  /** A word or two for the corner of the page. */
  short: string
  /** Why the text isn’t saved, or written, and what happens now; null while all is well. */
  long: { why: string; now: string } | null
  /** Whether nothing has gone wrong all the same. */
  isCalm?: boolean
  /** Whether only files aren’t on the server yet. */
  isWaiting?: boolean
  /** The same as it is said aloud, once: without what changes from second to second. Empty while all is well. */
  aloud: string
}

/** Where the text is saved, but files for it aren’t; null where none wait. Beside each of them it says so, too. */
export function filesMessage(waiting: FilesWaiting): SaveMessage | null {
  if (waiting === 'none') return null
  const short = waiting === 'kept' ? 'Kept here, will be delivered' : 'Not saved'
  return { short, long: null, isWaiting: true, aloud: '' }
}
