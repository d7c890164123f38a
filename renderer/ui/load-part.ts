/** Links to style sheets that didn't come. */
const missing = new Set<HTMLLinkElement>()

/**
 * Loads a part of the app that comes when it is needed, and may be asked again where that failed. What the build puts
 * around an import asks for the part's style sheet only once; one that didn't come is asked for again here, so that the
 * part isn't shown without it.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missing.add(target)
  }
  document.addEventListener('error', note, { capture: true })
  try {
    await Promise.all([...missing].map(askAgain))
    return await load()
  } finally {
    document.removeEventListener('error', note, { capture: true })
  }
}

function askAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement
  missing.delete(link)
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new Error(`${again.href} couldn’t be loaded`)))
    link.replaceWith(again)
  })
}
