/**
 * Has pictures whose bytes are missing or damaged say so, in the room that they would have taken: what they show, and
 * their name. Nothing of that is text of the page. Returns what ends it.
 */
export function watchLostPictures(content: HTMLElement): () => void {
  const fail = ({ target }: Event) => {
    const element = target as Element
    if (element.localName === 'img') sayLost(element as HTMLImageElement)
  }
  content.addEventListener('error', fail, true)
  return () => content.removeEventListener('error', fail, true)
}

/** The same for those that failed before anybody watched. */
export function lookForLostPictures(content: HTMLElement): void {
  for (const image of content.querySelectorAll('img'))
    if (image.complete && image.naturalWidth === 0 && image.currentSrc !== '') sayLost(image)
}

function sayLost(image: HTMLImageElement): void {
  if (image.hidden || image.closest('.diagram')) return
  const name = nameIn(image.currentSrc || image.src)
  const lost = image.ownerDocument.createElement('span')
  lost.className = ['lost-picture', ...[...image.classList].filter((one) => one.startsWith('width-'))].join(
    ' ',
  )
  lost.setAttribute('role', 'img')
  lost.dataset.alt = image.alt
  lost.dataset.why = `${name} couldn’t be loaded`
  lost.ariaLabel = [image.alt, lost.dataset.why].filter((words) => words !== '').join('. ')
  const [width, height] = ['width', 'height'].map((side) => image.getAttribute(side) ?? '')
  if (width) lost.style.width = /%$/.test(width) ? width : `${width}px`
  if (/^\d+$/.test(width!) && /^\d+$/.test(height!)) lost.style.aspectRatio = `${width} / ${height}`
  image.before(lost)
  image.hidden = true
}

function nameIn(url: string): string {
  const name = url.split(/[?#]/)[0]!.split('/').at(-1) || 'The picture'
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
