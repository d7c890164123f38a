import type { ExportedFeedback } from '../../actions/export-with-feedback.ts'

/** A picture as it is put into a Word file. */
export interface WordPicture {
  type: 'png' | 'jpg' | 'gif'
  bytes: Uint8Array
  width: number
  height: number
}

/** What a Word file is made of. */
export interface WordInput {
  /** What stands above the text; null where the text opens with it. */
  title: string | null
  /** Sanitised, from the renderer. */
  html: string
  feedback: readonly ExportedFeedback[]
  /** By their names. */
  pictures: ReadonlyMap<string, WordPicture>
}
