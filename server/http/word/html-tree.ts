import { decodeReferences } from '../../markdown/entities.ts'

/** An element of a rendered text, with what is in it. */
export interface RenderedElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: RenderedNode[]
}
export type RenderedNode = RenderedElement | string

const token = /<(\/?)([a-z][a-z\d]*)((?:"[^"]*"|[^>"])*)>|[^<]+|</gi
const attribute = /([a-z-]+)="([^"]*)"/g
const voids = new Set(['br', 'hr', 'img', 'input', 'wbr'])

/** Reads what the renderer has written, which is well nested. */
export function readHtml(html: string): RenderedNode[] {
  const root: RenderedElement = { name: '', attributes: new Map(), children: [] }
  const open = [root]
  for (const [one, slash, name, rest] of html.matchAll(token)) {
    const last = open.at(-1)!
    if (name === undefined) last.children.push(decodeReferences(one))
    else if (slash) {
      if (open.length > 1 && last.name === name.toLowerCase()) open.pop()
    } else {
      const attributes = new Map(
        [...rest!.matchAll(attribute)].map(([, key, value]) => [key!, decodeReferences(value!)] as const),
      )
      if (/\schecked\b/.test(rest!)) attributes.set('checked', '')
      const element = { name: name.toLowerCase(), attributes, children: [] }
      last.children.push(element)
      if (!voids.has(element.name)) open.push(element)
    }
  }
  return root.children
}

/** All that is said in it. */
export const textIn = (node: RenderedNode): string =>
  typeof node === 'string' ? node : node.children.map(textIn).join('')

export const classesOf = ({ attributes }: RenderedElement): string[] =>
  (attributes.get('class') ?? '').split(' ')
