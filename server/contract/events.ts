/** What just happened, said after it was committed. It names things; whoever may see them reads them. */
export type GalleyEvent = DocumentEvent | SharingChanged

/** An account shares nothing any more, or shares again. */
interface SharingChanged {
  what: 'sharing'
  ownerId: string
}

/** What just happened to a document. */
export type DocumentEvent = DocumentChanged | DocumentDeleted

interface DocumentChanged {
  documentId: string
  what: 'content' | 'comments' | 'suggestions' | 'links' | 'openings' | 'versions'
  /** Where a comment, a reply or a suggestion was made; of a reply, the comment that begins its thread. */
  made?: { kind: FeedbackNews['kind']; id: string; author: { id: string | null; name: string } }
}

interface DocumentDeleted {
  documentId: string
  what: 'deleted'
  /** Which can’t be asked any more. */
  ownerId: string
  made?: never
}

/** What somebody else had to say on one of the documents of the machine's own user. None of its words are in it. */
export interface FeedbackNews {
  documentId: string
  title: string
  kind: 'comment' | 'reply' | 'suggestion'
  /** The suggestion, or the first comment of its thread. */
  id: string
  author: string
}

/** What is shared now. */
export interface SharingNow {
  /** So many links work, of all documents. */
  links: number
  /** Whether the machine's own user has stopped sharing. */
  stopped: boolean
}
