/** A short message, perhaps with one thing to do about it. */
export interface Notice {
  kind: 'success' | 'info' | 'error'
  text: string
  action?: { label: string; run: () => void }
}
export type Notify = (notice: Notice) => void

/** How long an “Undo” is offered, and a change that can’t be taken back is held back. */
export const UNDO_MS = 7_000
