/**
 * Puts text on the clipboard; answers whether that worked. Where the page may not use the clipboard (it isn’t served
 * securely, or permission is refused), the browser’s older copy command is tried.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(await text)
    return true
  } catch {
    return await Promise.resolve(text).then(copyBySelection, () => false)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  // Within the dialog, where there is one: it would take the focus back from anything outside.
  ;(focused?.closest('dialog, [role=dialog]') ?? document.body).append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  focused?.focus()
  return copied
}
