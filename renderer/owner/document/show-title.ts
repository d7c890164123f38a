import { ChangeSet } from '@codemirror/state'
import { closestChanges } from '../../editor/letter-changes.ts'

/** Shows a title in its field; the cursor there stays beside its letters. */
export function showTitle(field: HTMLInputElement, title: string): void {
  const before = field.value
  if (title === before) return
  const { selectionStart, selectionEnd, selectionDirection } = field
  field.value = title
  // Elsewhere there is no cursor to keep, and Safari would bring the field into focus.
  if (field.ownerDocument.activeElement !== field || selectionStart === null || selectionEnd === null) return
  const changes = ChangeSet.of(closestChanges(before, title), before.length)
  const isCursor = selectionStart === selectionEnd
  const start = changes.mapPos(selectionStart, isCursor ? -1 : 1)
  const end = Math.max(start, changes.mapPos(selectionEnd, -1))
  field.setSelectionRange(start, end, selectionDirection ?? 'none')
}
