import type { RichText } from '../../server/contract/desktop.ts'

/**
 * Puts formatted text on the clipboard; answers whether that worked. It may still be on its way, but has to be asked
 * for at once: some browsers let a page write only in answer to a key or a click.
 */
export async function copyRich(rich: Promise<RichText>): Promise<boolean> {
  const part = (type: string, of: (one: RichText) => string) =>
    rich.then((one) => new Blob([of(one)], { type }))
  try {
    await navigator.clipboard.write([
      new ClipboardItem({
        'text/html': part('text/html', ({ html }) => html),
        'text/plain': part('text/plain', ({ text }) => text),
      }),
    ])
    return true
  } catch {
    return rich.then(copyByEvent)
  }
}

/** For pages that aren't served securely, which have no clipboard of their own. */
function copyByEvent({ html, text }: RichText): boolean {
  const fill = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/html', html)
    event.clipboardData?.setData('text/plain', text)
  }
  addEventListener('copy', fill, { capture: true, once: true })
  const copied = document.execCommand('copy')
  removeEventListener('copy', fill, { capture: true })
  return copied
}
