/** HTML as a plain tree, so that what reads it needs no page. */
export interface HtmlElement {
  /** In lower case; a fragment’s is empty. */
  tag: string
  attributes: Readonly<Record<string, string>>
  children: readonly HtmlNode[]
}
export type HtmlNode = HtmlElement | string

/** In a document that was only parsed nothing runs, and nothing is asked of anybody. */
export function parseHtml(html: string): HtmlElement {
  return elementOf(new DOMParser().parseFromString(html, 'text/html').documentElement, 0)
}

// As deep as any page that a person made; what is nested further is left out.
const deepest = 200

function elementOf(element: Element, depth: number): HtmlElement {
  const attributes: Record<string, string> = {}
  for (const { name, value } of element.attributes) attributes[name] = value
  const children: HtmlNode[] = []
  if (depth < deepest) {
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) children.push(child.nodeValue ?? '')
      else if (child.nodeType === Node.ELEMENT_NODE) children.push(elementOf(child as Element, depth + 1))
    }
  }
  return { tag: element.localName, attributes, children }
}

export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string'

export function textOf(node: HtmlNode): string {
  return isElement(node) ? node.children.map(textOf).join('') : node
}

export function* descendants(node: HtmlElement): Generator<HtmlElement> {
  for (const child of node.children) {
    if (!isElement(child)) continue
    yield child
    yield* descendants(child)
  }
}
