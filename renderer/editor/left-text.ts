import { ApiError } from '../api/client-of.ts'
import type { Updates } from '../../server/contract/records/changes.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { mergeTexts } from '../../server/domain/merge.ts'
import { upToOwn } from '../../server/domain/shared-text.ts'
import { textsOf, type Draft } from './drafts.ts'
import { OpenDocument } from './open-document.svelte.ts'

/** The changes since a revision, as they are told to the client of that name, if it has one. */
export type ChangesOf = (client: string, since: number) => Promise<Updates>

/** Whether a window has sent more than it could still write down, so that the server has all of its draft. */
export const isOutrun = (draft: Draft, { updates }: Updates): boolean =>
  updates.some(({ number }) => number !== null && number > draft.number)

/** What the server says has changed since a draft; null where no changes lead from its text to the server’s. */
export async function changesSince(draft: Draft, changesOf: ChangesOf): Promise<Updates | null> {
  try {
    return await changesOf(draft.client, draft.revision)
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return null
    throw error
  }
}

/**
 * The text that a window left, as that window would have it now had it been away for so long. Null where the draft isn’t
 * of the text that the changes are of.
 */
export function reopened(facts: Omit<Document, 'content'>, draft: Draft, told: Updates): OpenDocument | null {
  const never = () =>
    Promise.reject<Document>(new Error('Nothing is begun anew in place of a window that is gone.'))
  try {
    const copy = new OpenDocument({
      document: { ...facts, content: '' },
      goOnWith: draft,
      load: never,
      arrive: (bring) => bring(),
      onAnew: () => {},
      onNotice: () => {},
    })
    // What had arrived was brought over what others wrote when it was typed; what came later was written without the rest.
    const [arrived, later] = upToOwn(told.updates)
    const own = arrived.at(-1)
    if (own) copy.receive({ ...told, revision: own.revision, updates: arrived })
    if (!own || copy.text.revision === own.revision) copy.rejoin({ ...told, updates: later })
    copy.close()
    return copy.text.revision === told.revision ? copy : null
  } catch {
    return null
  }
}

/** Whether somebody else has changed the same words as a draft, which a person has to see. */
export async function collides(draft: Draft, document: Document, changesOf: ChangesOf): Promise<boolean> {
  const told = await changesSince(draft, changesOf)
  if (told && isOutrun(draft, told)) return false
  const copy = told && reopened(document, draft, told)
  if (copy) return copy.conflicts.open.length > 0
  const { saved, content: mine } = textsOf(draft)
  return mergeTexts(toLf(saved), toLf(mine), toLf(document.content)).conflicts.length > 0
}
