import type { AwaitedAnswers } from '../api/awaited-answers.svelte.ts'
import type { ApiClient } from '../api/client.ts'
import type { HearNews } from '../api/document-news.ts'
import type { Piece } from './suggesting/suggested-pieces.ts'
import type { Document } from '../../server/contract/records/documents.ts'

/**
 * A stretch of the document’s text as it is stored: UTF-16 code units, a CRLF counting as two. `end` is exclusive.
 * These are the offsets that anchors and ranges of the API use.
 */
export interface TextRange {
  start: number
  end: number
}

export interface SelectedText extends TextRange {
  text: string
}

/** Words in the text that a comment or a suggestion stands on. */
export interface TextMark {
  id: string
  kind: 'comment' | 'suggestion'
  range: TextRange
  /** Of the server’s text in which the range counts; where it isn’t known, what is drawn already stays where it is. */
  revision: number | undefined
  /** The one that is being looked at, drawn stronger. */
  active: boolean
  /** What a suggestion changes there; without, only its place is drawn. */
  suggestion?: DrawnSuggestion
}

/** The text with nothing but the places of suggestions, with what they change, or as if all were accepted. */
export type SuggestionsShown = 'original' | 'changes' | 'result'

/** What is drawn of a suggestion. The same object stands for the same, so that it needn’t be drawn anew. */
export interface DrawnSuggestion {
  /** Offsets count from where its range starts. */
  pieces: readonly Piece[]
  /** Who suggests it, as one hears it. */
  author: string
  /** One of those that people have who write in a text. */
  colour: number
  mine: boolean
  shown: SuggestionsShown
}

export type ClickedMark = Pick<TextMark, 'id' | 'kind'>

/**
 * An open document as the panes beside the text see it. Reading a property inside a Svelte effect or template follows
 * its changes. `session.svelte.ts` holds the real one; tests may bring their own.
 */
export interface DocumentSession {
  readonly api: ApiClient
  /** Whether the server says anything at all to what is asked by it, where that is known. */
  readonly answers?: Pick<AwaitedAnswers, 'isSilent'> | undefined
  /** What the server last said, without the text. */
  readonly document: Omit<Document, 'content'>
  /** The text as it stands in the editor, unsaved changes included, with the line endings it is stored with. */
  readonly content: string
  /** Whether the editor holds text that the server hasn’t got yet. */
  readonly unsaved: boolean
  /** What is selected in the text; null where nothing is. Offsets count in `content`. */
  readonly selection: SelectedText | null
  /** Calls the listener when another window has changed the document or what belongs to it. Returns what stops it. */
  readonly onNews?: HearNews | undefined
  /** How often to ask for what others did, in ms; asked each time. */
  readonly pollEvery?: () => number
  /** Resolves once the server has everything typed so far; rejects with the `ApiError` where it can’t be saved now. */
  saveNow(): Promise<void>
  /** Brings what its reader just did to the server’s document into the editor; what isn’t saved yet is merged with it, never lost. */
  refresh(): Promise<void>
  /**
   * Writes at places of the current text, all at once, as what is typed there is written: others’ words stay, and undo in
   * the editor takes it back. Where what is typed is suggested, it is a change of the text all the same.
   */
  write(replacements: readonly (TextRange & { text: string })[]): void
  /** Scrolls to a stretch of the current text and selects it. */
  reveal(range: TextRange): void
  /**
   * Draws these and no others, each once the text of its revision is here; from there on it follows all edits.
   */
  setMarks(marks: TextMark[]): void
  /** Tells when a mark in the text is clicked (the shortest one there). Returns what stops it. */
  onMarkClick(callback: (mark: ClickedMark) => void): () => void
}
