import { pictureOf, sharedDrawer } from '../../diagrams/drawer.ts'
import type { Drawing } from '../../diagrams/messages.ts'
import { ShownDiagrams } from '../../reading/shown-diagrams.ts'

const address = '/share/diagrams'
/** As the renderer writes it. Where somebody suggested something in the source, that is what is to be seen. */
const block = /<pre\b[^>]*><code class="language-mermaid">([^<]*)<\/code><\/pre>/gi

/** An exported page with its diagrams as pictures, light and dark. What can’t be drawn stays the source that it is. */
export async function withDiagrams(page: string): Promise<string> {
  const drawn = new Map<string, string>()
  for (const [whole, escaped] of page.matchAll(block)) {
    if (drawn.has(whole)) continue
    const source = textOf(escaped!)
    try {
      const light = await sharedDrawer(address).draw(source, false)
      drawn.set(whole, pictureElement(light, await sharedDrawer(address).draw(source, true)))
    } catch {
      // It is read as it was written.
    }
  }
  return page.replace(block, (whole) => drawn.get(whole) ?? whole)
}

/**
 * Has the diagrams drawn of a page that the desktop prints in a window of its own, and leaves them with the server.
 * @returns the key by which that page gets them; null where there are none
 */
export async function drawForWindow(id: string, ask: typeof fetch): Promise<string | null> {
  const page = await ask(`/print/${id}`)
  // Whatever keeps it from being read is said where it is printed.
  if (!page.ok) return null
  const drawings: (Drawing & { source: string })[] = []
  for (const [, source] of (await page.text()).matchAll(block)) {
    try {
      const { svg, width, height, title } = await sharedDrawer(address).draw(textOf(source!), false)
      drawings.push({ source: source!, svg, width, height, title })
    } catch {
      // It is read as it was written.
    }
  }
  if (drawings.length === 0) return null
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ drawings: drawings.slice(0, 100) })
  const kept = await ask(`/print/${id}/diagrams`, { method: 'POST', headers, body })
  return kept.ok ? ((await kept.json()) as { diagrams: string }).diagrams : null
}

/** Has the diagrams of a page drawn that is about to be printed, dark on white. */
export async function drawForPaper(page: Document): Promise<void> {
  const content = page.querySelector<HTMLElement>('.prose')
  if (!content?.querySelector('code[class="language-mermaid" i]')) return
  page.documentElement.dataset.theme = 'light'
  const diagrams = new ShownDiagrams(content, sharedDrawer(address), () => {})
  await diagrams.drawAll()
  diagrams.end()
}

// A document that was only parsed runs and loads nothing.
const textOf = (escaped: string) =>
  new DOMParser().parseFromString(escaped, 'text/html').documentElement.textContent

function pictureElement(light: Drawing, dark: Drawing): string {
  const image = new Image(light.width, light.height)
  image.alt = light.title
  image.src = pictureOf(light)
  const source = document.createElement('source')
  source.media = '(prefers-color-scheme: dark)'
  source.srcset = pictureOf(dark)
  const picture = document.createElement('picture')
  picture.append(source, image)
  return `<div class="diagram">${picture.outerHTML}</div>`
}
