import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import type { RenderedPoint } from '../../contract/records/rendering.ts'
import { signs, type Sign } from './signs.ts'

type Node = DefaultTreeAdapterTypes.ChildNode

/** One character of the page, or the sign for what is drawn as a whole, and where it stands, counted as browsers count. */
export interface ShownCharacter {
  shown: string
  from: RenderedPoint
  to: RenderedPoint
}

/** What the renderer draws as a whole, by its classes. */
const drawn: Record<string, Sign> = {
  'img-alt': 'image',
  maths: 'maths',
  'maths-source': 'maths',
  'footnote-ref': 'note',
}
/** What it adds of its own. Where an image is from belongs to the image. */
const added = new Set(['img-host', 'footnote-back'])

/** The characters of a rendered page in their order, white space left out. */
export function readPage(html: string): ShownCharacter[] {
  const characters: ShownCharacter[] = []
  for (const node of parseFragment(html).childNodes) visit(node, null)
  return characters

  function visit(node: Node, block: { offset: number; char: number } | null): void {
    if ('value' in node && block) {
      for (const shown of node.value.split('')) {
        if (/\s/.test(shown)) continue
        const from = { block: block.offset, char: block.char++ }
        characters.push({ shown, from, to: { block: block.offset, char: block.char } })
      }
      return
    }
    if (!('attrs' in node)) return
    const mark = node.attrs.find(({ name }) => name === 'data-b')
    if (mark) block = { offset: Number(mark.value), char: 0 }
    const before = characters.length
    for (const child of node.childNodes) visit(child, block)
    const name = node.attrs.find(({ name }) => name === 'class')?.value ?? ''
    const within = characters.splice(added.has(name) || drawn[name] ? before : characters.length)
    const sign = drawn[name]
    const image = characters.at(-1)
    if (name === 'img-host' && image && within.length > 0) image.to = within.at(-1)!.to
    if (sign && within.length > 0)
      characters.push({ shown: signs[sign], from: within[0]!.from, to: within.at(-1)!.to })
  }
}
