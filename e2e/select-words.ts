import type { Page } from '@playwright/test'

/** Selects words where the share page first says them. */
export async function selectWords(page: Page, words: string): Promise<void> {
  await page.evaluate((words) => {
    const walker = document.createTreeWalker(document.getElementById('content')!, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const at = node.data.indexOf(words)
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      node.parentElement!.scrollIntoView({ block: 'center', behavior: 'instant' })
      getSelection()!.removeAllRanges()
      getSelection()!.addRange(range)
      return
    }
    throw new Error(`the page doesn’t say “${words}”`)
  }, words)
}
