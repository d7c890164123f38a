import type { Page } from '@playwright/test'

/** Draws a picture in the page and pastes it, as from a program that cuts out a part of the screen. */
export async function pastePicture(page: Page, name = 'image.png', side = 40): Promise<void> {
  await page.evaluate(
    async ({ name, side }) => {
      const canvas = document.createElement('canvas')
      canvas.width = side * 2
      canvas.height = side
      const context = canvas.getContext('2d')!
      context.fillStyle = 'teal'
      context.fillRect(0, 0, side * 2, side)
      const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!)))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([blob], name, { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.cm-content')!.dispatchEvent(event)
    },
    { name, side },
  )
}

/** Pastes a file of these signs, each of them a byte. */
export async function pasteFile(page: Page, name: string, type: string, signs: string): Promise<void> {
  await page.evaluate(
    ({ name, type, signs }) => {
      const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([bytes], name, { type }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.cm-content')!.dispatchEvent(event)
    },
    { name, type, signs },
  )
}
