import type { Anchor } from '../../server/contract/records/anchors.ts'
import type { FeedbackDraft, Meant } from '../feedback/feedback-drafts.ts'
import { quotedWords } from '../feedback/quoted-words.ts'
import type { Chosen } from './text-pane.ts'

/** What is being written about: a passage, or the whole document. */
export interface Subject {
  chosen: Chosen | null
  /** The anchor, once it is known. */
  anchor: Anchor | null
  /** The words as they are shown, or were when the draft was begun. */
  words: string
}

export const subjectOf = (chosen: Chosen | null): Subject => ({
  chosen,
  anchor: null,
  words: chosen?.words ?? '',
})

export const subjectOfDraft = ({ anchor = null, place, words }: FeedbackDraft): Subject => ({
  chosen: place ?? null,
  anchor,
  words: words ?? place?.words ?? (anchor ? quotedWords(anchor) : ''),
})

/** Where a draft is meant, to be kept with it. */
export const meantBy = ({ anchor, chosen, words }: Subject): Meant => ({
  ...(anchor ? { anchor } : {}),
  ...(chosen ? { place: chosen } : {}),
  ...(words ? { words } : {}),
})
