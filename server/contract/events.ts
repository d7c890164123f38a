/** What just happened to a document, said after it was committed. It names things; whoever may see them reads them. */
export interface DocumentEvent {
  documentId: string
  what: 'content' | 'comments' | 'suggestions' | 'links' | 'deleted'
}
