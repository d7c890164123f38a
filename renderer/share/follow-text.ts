import { watch } from '../api/watch.ts'
import { loadPart } from '../ui/load-part.ts'

/** Loads what can be done with code, pictures and diagrams once a text has any, and gives it that. */
export function followText(content: HTMLElement): void {
  const look = () => {
    if (!content.querySelector('pre, img')) return
    observer.disconnect()
    const stop = watch(
      async () => {
        const { attachReadingTools } = await loadPart(() => import('./text-tools.ts'))
        stop()
        attachReadingTools(content, 'diagrams')
      },
      { every: 10_000 },
    )
  }
  const observer = new MutationObserver(look)
  observer.observe(content, { childList: true })
  look()
}
