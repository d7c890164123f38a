/** A short message, perhaps with one thing to do about it. */
export interface Notice {
  kind: 'success' | 'info' | 'error'
  text: string
  action?: { label: string; run: () => void; undoes?: true }
}
export type Notify = (notice: Notice) => void

/** The action of a notice that takes back what it tells. */
export const undoing = (run: () => void) => ({ label: 'Undo', run, undoes: true }) as const

/** How long an “Undo” is offered, and a change that can’t be taken back is held back. */
export const UNDO_MS = 7_000
