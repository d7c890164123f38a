import type { LiveChange } from '../../server/contract/live.ts'

/** What was heard of a document. `silence`: from here on nothing is heard, so that more has to be asked for. */
export type DocumentNews = LiveChange | 'silence'

/** Has its listener called with what is heard, or with nothing where it may be whatever; returns what stops that. */
export type HearNews = (listener: (news?: DocumentNews) => void) => () => void

/** What of the news is about one of these; null where it may be. */
export const newsAbout = (
  news: readonly DocumentNews[] | null,
  ...parts: LiveChange['what'][]
): LiveChange[] | null =>
  news && news.filter((one): one is LiveChange => one !== 'silence' && parts.includes(one.what))
