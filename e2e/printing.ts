// What a page prints, for specs: nobody is there for the browser’s window.
import type { Page } from '@playwright/test'

/** Has the page remember what it prints, instead of opening a window for it. */
export const catchPrinting = (page: Page) =>
  page.addInitScript(() => {
    const printed: { html: string; title: string; fonts: string[] }[] = []
    Object.assign(globalThis, { printed })
    const watch = (frame: HTMLIFrameElement) =>
      frame.addEventListener('load', () => {
        const { contentWindow: inside, contentDocument: paper } = frame
        if (!inside || !paper) return
        inside.print = () => {
          const fonts = [...paper.fonts]
            .filter(({ status }) => status === 'loaded')
            .map(({ family }) => family)
          printed.push({ html: paper.body.innerHTML, title: document.title, fonts })
        }
      })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node instanceof HTMLIFrameElement) watch(node)
    }).observe(document, { childList: true, subtree: true })
  })
export const printed = (page: Page) =>
  page.evaluate(
    () => (globalThis as unknown as { printed: { html: string; title: string; fonts: string[] }[] }).printed,
  )
