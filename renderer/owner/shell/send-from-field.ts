import { matches } from '../../ui/keys.ts'

/** Ctrl+Enter in any field sends the form that it is in. Returns whether it did. */
export function sendFromField(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.isComposing || !matches(event, 'Mod-Enter')) return false
  if (!(target instanceof Element) || !target.matches('input, textarea, select')) return false
  const form = target.closest('form')
  if (!form) return false
  event.preventDefault()
  form.requestSubmit()
  return true
}
