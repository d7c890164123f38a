import { abandonedDrafts, indexedDbDrafts } from '../editor/drafts.ts'

/** Whether a text was changed here and left behind before the server had it. */
export const hasAbandonedDrafts = (documentId: string): Promise<boolean> =>
  abandonedDrafts(indexedDbDrafts(), documentId).then(
    (drafts) => drafts.length > 0,
    () => false,
  )
