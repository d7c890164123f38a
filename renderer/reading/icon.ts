const svg = 'http://www.w3.org/2000/svg'

/** A line drawing of 20 by 20 for a button that is put into a rendered text, which Svelte doesn’t draw. */
export function icon(page: Document, path: string): SVGElement {
  const element = page.createElementNS(svg, 'svg')
  element.setAttribute('viewBox', '0 0 20 20')
  element.setAttribute('aria-hidden', 'true')
  const line = page.createElementNS(svg, 'path')
  line.setAttribute('d', path)
  element.append(line)
  return element
}

export const copyPath = 'M7.5 7.5h8v9h-8zM4.5 12.5v-9h8'
export const donePath = 'm4.5 10.5 3.5 3.5 7.5-8'
export const sourcePath = 'm7 6-4 4 4 4M13 6l4 4-4 4'

/** A button without words: what stands in the text stays what it is for finding, copying and choosing words. */
export function button(page: Document, className: string, label: string, path: string): HTMLButtonElement {
  const element = page.createElement('button')
  element.type = 'button'
  element.className = className
  element.ariaLabel = element.title = label
  element.append(icon(page, path))
  return element
}
