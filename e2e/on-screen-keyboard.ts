import type { Page } from '@playwright/test'

/**
 * Chromium’s tests have no on-screen keyboard: what the browser would say of one that covers the page is said here. Best
 * asked for before the page is opened, which may listen at once.
 */
export async function useKeyboard(page: Page) {
  const install = () => {
    let covered = 0
    let top = 0
    const view = Object.defineProperties(new EventTarget(), {
      height: { get: () => innerHeight - covered - top },
      offsetTop: { get: () => top },
      scale: { value: 1 },
    })
    Object.defineProperty(window, 'visualViewport', { value: view, configurable: true })
    Object.assign(window, {
      cover: (height: number, moved: number) => {
        covered = height
        top = moved
        view.dispatchEvent(new Event('resize'))
      },
    })
  }
  await page.addInitScript(install)
  if (page.url() !== 'about:blank') await page.evaluate(install)
  return (height: number, moved = 0) =>
    page.evaluate(
      ([height, moved]) => (window as never as { cover(a: number, b: number): void }).cover(height, moved),
      [height, moved] as const,
    )
}
