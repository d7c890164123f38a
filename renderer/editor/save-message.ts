/** What a page says about saving. */
export interface SaveMessage {
  /** A word or two for the corner of the page. */
  short: string
  /** Why the text isn’t saved, or written, and what happens now; null while all is well. */
  long: { why: string; now: string } | null
  /** Whether nothing has gone wrong all the same. */
  isCalm?: boolean
  /** The same as it is said aloud, once: without what changes from second to second. Empty while all is well. */
  aloud: string
}
