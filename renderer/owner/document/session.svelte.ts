export type { DocumentSession, SelectedText, TextMark, TextRange } from '../../editor/document-session.ts'
