import { loadPart } from '../ui/load-part.ts'

/** What is shown large; that it can be, its own page says. */
const selector = 'img[role="button"]'
/** Nobody needs to see a smaller one enlarged: it is a sign among words. */
const least = 48

/** Lets a picture be enlarged: by a click, or with the keyboard. */
export function letEnlarge(image: HTMLImageElement): void {
  image.setAttribute('role', 'button')
  image.tabIndex = 0
  image.ariaHasPopup = 'dialog'
  image.ariaLabel = image.alt ? `${image.alt}, enlarge` : 'Enlarge the picture'
}

/** Lets the pictures of a text be enlarged as they come. One within a link leads where the link does. */
export function letAllEnlarge(content: HTMLElement): void {
  for (const image of content.querySelectorAll<HTMLImageElement>('img:not([role])')) {
    if (image.closest('a, summary, .diagram')) continue
    const look = () => {
      if (image.isConnected && Math.min(image.naturalWidth, image.width) >= least) letEnlarge(image)
    }
    if (image.complete) look()
    else image.addEventListener('load', look, { once: true })
  }
}

/** Opens what is clicked, or pressed Enter or the space bar on. Returns what ends that. */
export function watchEnlarging(content: HTMLElement): () => void {
  const pictureAt = ({ target }: Event) => (target as Element | null)?.closest<HTMLImageElement>(selector)
  const click = (event: MouseEvent) => {
    const picture = pictureAt(event)
    if (!picture || event.button !== 0) return
    // Who selects words beside it wants those.
    if (content.ownerDocument.getSelection()?.isCollapsed === false) return
    event.stopPropagation()
    void enlarge(content, picture)
  }
  const press = (event: KeyboardEvent) => {
    const picture = pictureAt(event)
    if (!picture || !['Enter', ' '].includes(event.key)) return
    event.preventDefault()
    void enlarge(content, picture)
  }
  content.addEventListener('click', click)
  content.addEventListener('keydown', press)
  return () => {
    content.removeEventListener('click', click)
    content.removeEventListener('keydown', press)
  }
}

async function enlarge(content: HTMLElement, picture: HTMLImageElement): Promise<void> {
  const { showEnlarged } = await loadPart(() => import('./show-enlarged.ts'))
  const all = [...content.querySelectorAll<HTMLImageElement>(selector)]
  showEnlarged(all, all.indexOf(picture))
}
