import type { Range } from '../contract/records/anchors.ts'
import type { AuthorKind } from '../contract/records/authors.ts'

/** What one person said. Its author is empty where nobody is named. */
export interface SignedComment {
  author: string
  /** What its author is known to be, if that is no person with an account: a name alone is taken for one’s. */
  kind?: Exclude<AuthorKind, 'person'>
  /** Which of the colours of people its author has in the document, where that is known. */
  colour?: number
  body: string
  /** When, where that is known. */
  at?: number
}

/** Words that aren’t where they were, with what stood around them. */
export interface LostPlace {
  exact: string
  prefix: string
  suffix: string
}

/** Where feedback stands in its text. */
export type FeedbackPlace = Range | LostPlace

export const isLost = (place: FeedbackPlace): place is LostPlace => 'exact' in place

export interface CommentThread {
  /** Null for one about the whole text. */
  place: FeedbackPlace | null
  /** What was said first, and what it was answered. */
  comments: [SignedComment, ...SignedComment[]]
}

export interface SuggestedEdit {
  place: FeedbackPlace
  original: string
  suggested: string
  /** Who made it, and why, if that was said. */
  comment: SignedComment
  replies: SignedComment[]
}

/** A text with what is open of its feedback, as it goes from one program to another. */
export interface TextWithFeedback {
  content: string
  threads: CommentThread[]
  edits: SuggestedEdit[]
}
