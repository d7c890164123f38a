import { notFound } from '../contract/errors.ts'
import type { DocumentTask } from './task.ts'

/**
 * Lists what has places in a document’s text, and tells in which revision’s. Another process may write while it is
 * read; then it is read again.
 */
export function placedList<Listed>(
  task: DocumentTask,
  list: (document: DocumentTask['document']) => Listed,
): Listed {
  for (let { document } = task; ;) {
    const listed = list(document)
    const now = task.store.documents.findHead(document.id)
    if (!now) throw notFound('Document')
    task.placedIn = now.revision
    if (now.revision === document.revision) return listed
    document = now
  }
}
