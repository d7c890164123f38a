import type { DocumentEvent } from '../contract/events.ts'
import type { LiveMessage } from '../contract/live.ts'
import { may } from '../domain/access.ts'
import { accountAction, documentAction } from './action.ts'
import type { ActionContext } from './context.ts'
import type { Principal } from './principal.ts'
import { DocumentTask, type AccountTask } from './task.ts'

/** Hears what happens to one document, from now on. */
export const followDocument = documentAction({ right: 'document.read', effect: 'reads', run: (task) => task })

/** Hears what happens to all documents of an account, from now on. */
export const followAccount = accountAction({ right: 'document.list', effect: 'reads', run: (task) => task })

/** What somebody who follows hears of an event; null for what they mustn’t know or needn’t. */
export function hear(task: DocumentTask | AccountTask, event: DocumentEvent): LiveMessage | null {
  const { documentId, what } = event
  if (task instanceof DocumentTask)
    return documentId === task.document.id && mayHear(task.principal, what)
      ? { type: 'changed', document_id: documentId, what }
      : null
  const { id } = task.principal.user
  if (event.what === 'deleted')
    return event.ownerId === id ? { type: 'changed', document_id: null, what } : null
  if (task.store.documents.findHead(documentId)?.owner_id !== id) return null
  return { type: 'changed', document_id: documentId, what }
}

function mayHear(principal: Principal, what: DocumentEvent['what']): boolean {
  if (principal.kind !== 'link') return true
  if (what === 'links' || what === 'openings' || what === 'versions') return false
  const holder = { kind: 'link', permission: principal.link.permission } as const
  return what !== 'suggestions' || may(holder, 'suggestion.list') === 'yes'
}

/** Whether a document that somebody followed is still there. */
export const isThere = ({ store }: ActionContext, { id }: { id: string }): boolean =>
  store.documents.findHead(id) !== undefined
