export type OfferedFormat = 'md' | 'md-feedback' | 'html' | 'html-feedback' | 'docx' | 'pdf'

/** What documents can be exported as, in the order in which people are offered it. */
export const exportFormats: Record<OfferedFormat, { label: string; name: string; words: string[] }> = {
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
  docx: {
    label: 'Word with feedback',
    name: 'a Word file with feedback',
    words: ['download', 'save as', 'file', 'docx', 'tracked changes', 'suggestions', 'comments', 'review'],
  },
  pdf: { label: 'PDF', name: 'PDF', words: ['download', 'save as', 'file', 'print', 'paper'] },
}
