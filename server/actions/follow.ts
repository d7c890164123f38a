import { accountAction, documentAction } from './action.ts'
import type { ActionContext } from './context.ts'

/** Hears what happens to one document, from now on. */
export const followDocument = documentAction({ right: 'document.read', effect: 'reads', run: (task) => task })

/** Hears what happens to all documents of an account, from now on. */
export const followAccount = accountAction({ right: 'document.list', effect: 'reads', run: (task) => task })

/** Whether a document that somebody followed is still there. */
export const isThere = ({ store }: ActionContext, { id }: { id: string }): boolean =>
  store.documents.findHead(id) !== undefined
