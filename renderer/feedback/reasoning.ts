import type { Answering } from './answering.ts'

/** What it takes to say why one suggests something. */
export interface Reasoning extends Pick<Answering, 'drafts' | 'keepDraft'> {
  /** Says it, or takes it back where it is empty; answers whether that went well. */
  give: (note: string) => Promise<boolean>
}

/** Where a reason is kept while it is written. */
export const reasonSlot = (id: string) => `reason:${id}`

/** What is said on the button that begins it. */
export const toReason = ({ drafts }: Reasoning, id: string, note: string | null): string =>
  drafts.find(reasonSlot(id))?.body ? 'Continue your reason' : note ? 'Change the reason' : 'Add a reason'
