import { toast } from '../ui/toast.ts'
import { UNDO_MS, type Notice } from '../ui/notice.ts'

/** Shows a notice as a toast; one with an action stays as long as the action can be done. */
export function showNotice({ kind, text, action }: Notice): void {
  toast[kind](text, {
    ...(action ? { action: { label: action.label, onClick: action.run }, duration: UNDO_MS } : {}),
  })
}
