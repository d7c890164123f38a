export type ExportFormat = 'md' | 'html' | 'pdf'

/** What documents can be exported as, in the order in which people are offered it. */
export const exportFormats: Record<ExportFormat, { label: string; name: string; words: string[] }> = {
  md: { label: 'Markdown', name: 'markdown', words: ['download', 'save as', 'file', 'md'] },
  html: { label: 'Web page', name: 'a web page', words: ['download', 'save as', 'file', 'html'] },
  pdf: { label: 'PDF', name: 'PDF', words: ['download', 'save as', 'file', 'print', 'paper'] },
}
