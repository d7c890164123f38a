import { parse, type DefaultTreeAdapterMap, type ParserError } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
export type Element = DefaultTreeAdapterMap['element']

/** A page as a browser reads it, for tests: its elements in order, its text, and what the parser had to put right. */
export function parsed(html: string) {
  const errors: ParserError[] = []
  const document = parse(html, { onParseError: (error) => errors.push(error), sourceCodeLocationInfo: true })
  const elements: Element[] = []
  let text = ''
  const visit = (node: Node) => {
    if ('tagName' in node) elements.push(node)
    if ('value' in node && node.nodeName === '#text') text += node.value
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(document)
  const named = (name: string) => elements.filter((element) => element.tagName === name)
  const attribute = (element: Element | undefined, name: string) =>
    element?.attrs.find((one) => one.name === name)?.value
  return { elements, text, errors: errors.map(({ code }) => code), named, attribute }
}
