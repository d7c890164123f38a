import type { Element, InlineContext, InlineParser } from '@lezer/markdown'
import { bounds } from './markdown-bounds.ts'

/** What the parser has besides what it declares. */
type Part = Element & { children: readonly Part[] }
type Inline = InlineContext & { readonly parts: readonly (Part | object | null)[]; text: string }
type Parse = InlineParser['parse']

/** The stretch of text that is being read, of which there is one at a time, with what that has taken. */
let current: Inline | null = null
let steps = 0
/** Characters of delimiters so far, each pair of which may become an element. */
let delimiters = 0
const heights = new WeakMap<object, number>()

const heightOf = (parts: readonly object[]) =>
  parts.reduce((most, part) => Math.max(most, heights.get(part) ?? 0), 0)
const marksOf = (parts: readonly Part[]) => parts.filter(({ children }) => children.length === 0)

/** Such a text is read again with each letter that is typed somewhere before it, so all of it has to cost little. */
function hasLongLine(text: string): boolean {
  for (let at = 0; at + bounds.line < text.length;) {
    const end = text.lastIndexOf('\n', at + bounds.line)
    if (end < at) return true
    at = end + 1
  }
  return false
}

/** Has each element of a stretch know how high the tree in it is, and leave out what would make it too high. */
function begin(cx: Inline): void {
  current = cx
  delimiters = 0
  steps = hasLongLine(cx.text) ? Infinity : 0
  if (cx.text.length < 2 * bounds.inline) return
  const make = cx.elt.bind(cx) as (
    type: string,
    from: number,
    to: number,
    children?: readonly Element[],
  ) => Element
  const elt = (type: string, from: number, to: number, children?: readonly Part[]) => {
    if (!children) return make(type, from, to)
    const height = heightOf(children) + 1
    const isHigh = height > bounds.inline
    const made = make(type, from, to, isHigh ? marksOf(children) : children)
    if (!isHigh) heights.set(made, height)
    return made
  }
  ;(cx as { elt: unknown }).elt = elt
}

/** What has come of a parser, where it is drawn: of very many in one line the page would be slow. */
function counted(end: number): number {
  if (end >= 0) steps += bounds.drawn
  return end
}
const lookedToEnd = (cx: Inline, pos: number) => (steps += cx.end - pos)
/** An end that matches is looked for among all that is before it, once for each of its characters. */
function delimited(cx: Inline, length: number): void {
  steps += length * (cx.parts.length + delimiters)
  delimiters += length
}

const startsAddress = /www\.|https?:\/\/|[\w.+-]{1,100}@|mailto:|xmpp:/y
const addressEnd = /[^\s>]*/y
const longHostPart = new RegExp(`^(?:https?://|mailto:|xmpp:)?[^/]*?[\\w-]{${bounds.hostPart + 1}}`)

/** By the names of what they stand for. */
const inline: Record<string, (parse: Parse) => (cx: Inline, next: number, pos: number) => number> = {
  Escape: (parse) => (cx, next, pos) => counted(parse(cx, next, pos)),
  Emphasis: (parse) => (cx, next, pos) => {
    const end = parse(cx, next, pos)
    if (end < 0) return end
    if (end - pos > bounds.run) {
      ;(cx.parts as unknown[]).pop()
      return end
    }
    delimited(cx, end - pos)
    return end
  },
  Strikethrough: (parse) => (cx, next, pos) => {
    const end = parse(cx, next, pos)
    if (end >= 0) delimited(cx, end - pos)
    return end
  },
  LinkEnd: (parse) => (cx, next, pos) => {
    if (next !== 93) return -1
    steps += cx.parts.length
    const end = parse(cx, next, pos)
    // Perhaps an address or a title that doesn't end.
    if (end === pos + 1 && (cx.char(end) === 40 || cx.char(end) === 91)) lookedToEnd(cx, pos)
    if (end < 0) return end
    const link = cx.parts.at(-1) as Part
    const height = heightOf(link.children) + 1
    if (height > bounds.inline) (link as { children: unknown }).children = marksOf(link.children)
    else heights.set(link, height)
    // Without an address it is drawn as it is written.
    return end > pos + 1 ? counted(end) : end
  },
  InlineCode: (parse) => (cx, next, pos) => {
    if (next !== 96) return -1
    const end = parse(cx, next, pos)
    if (end < 0 && !(pos > cx.offset && cx.char(pos - 1) === 96)) lookedToEnd(cx, pos)
    return counted(end)
  },
  HTMLTag: (parse) => (cx, next, pos) => {
    if (next !== 60) return -1
    const end = parse(cx, next, pos)
    if (end >= 0) return counted(end)
    const sign = cx.char(pos + 1)
    if (sign === 33 || sign === 63) lookedToEnd(cx, pos)
    else {
      addressEnd.lastIndex = pos + 1 - cx.offset
      steps += addressEnd.exec(cx.text)![0].length
    }
    return end
  },
  Autolink: (parse) => (cx, next, pos) => {
    const at = pos - cx.offset
    if (at > 0 && /\w/.test(cx.text[at - 1]!)) return -1
    startsAddress.lastIndex = at
    if (!startsAddress.test(cx.text)) return -1
    const [address = ''] = /^[^\s<]*/.exec(cx.text.slice(at, at + bounds.address + 1)) ?? []
    steps += cx.parts.length + address.length
    if (address.length > bounds.address || longHostPart.test(address)) return -1
    // What may not be its end is taken off one by one, each time by counting all.
    if (/[;)]$/.test(address)) steps += address.length ** 2
    return counted(parse(cx, next, pos))
  },
  // What doesn't end the line behind one space doesn't behind the next.
  HardBreak: (parse) => (cx, next, pos) =>
    next === 32 && pos > cx.offset && cx.char(pos - 1) === 32 ? -1 : parse(cx, next, pos),
}

/** The parsers of what stands within a block, each within bounds, of those of the same names. */
export function boundedInline(parserOf: (name: string) => Parse): InlineParser[] {
  return [
    ...Object.entries(inline).map(([name, bound]) => ({ name, parse: bound(parserOf(name)) })),
    {
      name: 'Bounds',
      before: 'Escape',
      parse(cx) {
        if (cx !== current) begin(cx as Inline)
        return steps > bounds.steps ? cx.end : -1
      },
    },
  ]
}
