import type { Answering } from './answering.ts'
import type { FeedbackDrafts } from './feedback-drafts.ts'

/** What it takes to say why one suggests something. */
export interface Reasoning extends Pick<Answering, 'drafts' | 'keepDraft' | 'writing'> {
  /** Says it, or takes it back where it is empty; answers whether that went well. */
  give: (note: string) => Promise<boolean>
}

/** Where a reason is kept while it is written. */
export const reasonSlot = (id: string) => `reason:${id}`

/** What is said on the button that begins it. */
export const toReason = ({ drafts }: Reasoning, id: string, note: string | null): string =>
  drafts.find(reasonSlot(id))?.body ? 'Continue your reason' : note ? 'Change the reason' : 'Add a reason'

/** What waited under a name has an id now: who looks at it, or says why, goes on with it. */
export function goOnAs(
  id: string,
  name: string,
  drafts: FeedbackDrafts,
  looked: { reasoned: string | null; activeId: string | null },
): void {
  const begun = drafts.find(reasonSlot(name))
  if (begun) {
    drafts.keep(reasonSlot(id), begun)
    drafts.drop(reasonSlot(name))
  }
  if (looked.reasoned === name) looked.reasoned = id
  if (looked.activeId === name) looked.activeId = id
}
