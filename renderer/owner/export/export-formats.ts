export type ExportFormat = 'md' | 'md-feedback' | 'html' | 'html-feedback' | 'pdf'

/** What documents can be exported as, in the order in which people are offered it. */
export const exportFormats: Record<ExportFormat, { label: string; name: string; words: string[] }> = {
  md: { label: 'Markdown', name: 'markdown', words: ['download', 'save as', 'file', 'md'] },
  'md-feedback': {
    label: 'Markdown with feedback',
    name: 'markdown with feedback',
    words: ['download', 'save as', 'file', 'md', 'criticmarkup', 'suggestions', 'comments'],
  },
  html: { label: 'Web page', name: 'a web page', words: ['download', 'save as', 'file', 'html'] },
  'html-feedback': {
    label: 'Web page with feedback',
    name: 'a web page with feedback',
    words: ['download', 'save as', 'file', 'html', 'suggestions', 'comments', 'review'],
  },
  pdf: { label: 'PDF', name: 'PDF', words: ['download', 'save as', 'file', 'print', 'paper'] },
}
