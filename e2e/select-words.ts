import type { Page } from '@playwright/test'

/** Selects words where the share page first says them, and all up to other words behind them if those are given. */
export async function selectWords(page: Page, words: string, upTo = words): Promise<void> {
  await page.evaluate(
    ([words, upTo]) => {
      const walker = document.createTreeWalker(document.getElementById('content')!, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      let begun = false
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        const at = node.data.indexOf(words)
        if (!begun && at >= 0) {
          range.setStart(node, at)
          node.parentElement!.scrollIntoView({ block: 'center', behavior: 'instant' })
          begun = true
        }
        const until = node.data.indexOf(upTo)
        if (!begun || until < 0) continue
        range.setEnd(node, until + upTo.length)
        getSelection()!.removeAllRanges()
        getSelection()!.addRange(range)
        return
      }
      throw new Error(`the page doesn’t say “${words}”`)
    },
    [words, upTo] as const,
  )
}

/** Puts the cursor behind some words of a text that is open in the editor. */
export async function goBehind(page: Page, words: string) {
  await page.evaluate((words) => {
    const walker = document.createTreeWalker(document.querySelector('.cm-content')!, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(words)
      if (at < 0) continue
      getSelection()!.collapse(node, at + words.length)
      // Until the editor has heard of it, whatever focuses it puts back where its cursor was.
      document.dispatchEvent(new Event('selectionchange'))
      return
    }
    throw new Error(`There is no “${words}”.`)
  }, words)
  await page.evaluate(() => new Promise(requestAnimationFrame))
}
