import { matches } from '../ui/keys.ts'

/** What is chosen in a field is set between signs, or taken out of them. */
const signs = { 'Mod-b': '**', 'Mod-i': '*' } as const

/** Does what a key means in a field where a comment is written. */
export function formatWords(event: KeyboardEvent, field: HTMLTextAreaElement): void {
  if (event.isComposing || field.readOnly) return
  for (const [keys, sign] of Object.entries(signs)) {
    if (matches(event, keys)) return wrap(field, sign)
  }
  if (!matches(event, 'Mod-k')) return
  const chosen = field.value.slice(field.selectionStart, field.selectionEnd)
  if (/^(?:https?:\/\/|mailto:)\S+$/i.test(chosen)) return put(field, `[](${chosen})`, 1, 0)
  return put(field, `[${chosen}](https://)`, chosen === '' ? 1 : chosen.length + 3, chosen === '' ? 0 : 8)
}

function wrap(field: HTMLTextAreaElement, sign: string): void {
  const { value, selectionStart: start, selectionEnd: end } = field
  const chosen = value.slice(start, end)
  const isWrapped =
    value.slice(0, start).endsWith(sign) &&
    value.slice(end).startsWith(sign) &&
    // Of `**`, the sign `*` is only half.
    (sign.length > 1 || value[start - 2] !== sign || value[start - 3] === sign)
  if (isWrapped) {
    field.setSelectionRange(start - sign.length, end + sign.length)
    return put(field, chosen, 0, chosen.length)
  }
  return put(field, sign + chosen + sign, sign.length, chosen.length)
}

/** Puts words in the place of what is chosen, so that the field’s own undo takes them back, and chooses some of them. */
function put(field: HTMLTextAreaElement, words: string, from: number, length: number): void {
  const start = field.selectionStart
  // The only way that browsers’ undo knows of.
  const done =
    words === '' ? document.execCommand('delete') : document.execCommand('insertText', false, words)
  if (!done) {
    field.setRangeText(words)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(start + from, start + from + length)
}
