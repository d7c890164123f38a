/** Puts words on the clipboard, also on pages that came over plain http, where browsers have only the old way. */
export async function copyText(text: string): Promise<void> {
  // Typed as always there, which it isn't.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) return clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
