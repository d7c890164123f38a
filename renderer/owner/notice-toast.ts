import { toast } from '../ui/toast.ts'
import { undoToasts } from './undo-toasts.svelte.ts'
import { UNDO_MS, type Notice } from '../ui/notice.ts'

const said = 'said'

/**
 * Shows a notice as a toast; one with an action stays as long as the action can be done. What undoes something can also
 * be done by the key for that.
 */
export function showNotice({ kind, text, action }: Notice): void {
  if (action?.undoes && kind !== 'error')
    return undoToasts.show(text, { kind, duration: UNDO_MS, undo: action.run })
  // What is merely told to be done takes the place of what was: several would lie over the text, and nothing is lost.
  const isSaid = kind === 'success' && !action
  if (isSaid) toast.dismiss(said)
  toast[kind](text, {
    ...(isSaid ? { id: said } : {}),
    ...(action ? { action: { label: action.label, onClick: action.run }, duration: UNDO_MS } : {}),
  })
}
