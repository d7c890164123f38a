import { LimitReached } from './render-limits.ts'

const tag = /<(\/?)([a-z][a-z\d]*)([^>]*)>/g
const empty = new Set(['br', 'hr', 'img', 'input', 'wbr'])
const closesParagraph = new Set(
  'blockquote details div dl dd dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table ul'.split(
    ' ',
  ),
)
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** What closing tags, and implied ones, don't reach past. */
const walls = new Set(['td', 'th', 'caption', 'table'])
/** Elements that only stand inside these; anywhere else browsers drop them. */
const parents: Record<string, string[]> = {
  caption: ['table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
}
const tableParts = new Set(Object.keys(parents))

interface OpenElement {
  name: string
  /** What was written: a placeholder link within a link is written as a span. */
  written: string
}

/**
 * Closes what was left open and drops what closes nothing, by the rules browsers nest elements by, so that
 * a piece of HTML can't end the element it is put into. Expects tags as the renderer writes them: lower
 * case, attributes quoted, `<` and `>` always escaped in text and values.
 */
export function balance(html: string, maxDepth: number): string {
  const stack: OpenElement[] = []
  const reach = (names: (name: string) => boolean, stops: Set<string>): number => {
    for (let i = stack.length - 1; i >= 0; i--) {
      if (names(stack[i]!.name)) return i
      if (stops.has(stack[i]!.name)) return -1
    }
    return -1
  }
  const closeFrom = (index: number): string => {
    let out = ''
    while (index >= 0 && stack.length > index) out += `</${stack.pop()!.written}>`
    return out
  }

  const balanced = html.replace(tag, (whole, slash: string, name: string, attributes: string) => {
    if (slash) {
      if (empty.has(name)) return ''
      const stops = tableParts.has(name) ? new Set(['table']) : name === 'table' ? new Set<string>() : walls
      return closeFrom(reach((open) => open === name, stops))
    }
    let before = ''
    if (closesParagraph.has(name)) before += closeFrom(reach((open) => open === 'p', walls))
    if (name === 'li') before += closeFrom(reach((open) => open === 'li', new Set([...walls, 'ul', 'ol'])))
    if (name === 'dd' || name === 'dt')
      before += closeFrom(reach((open) => open === 'dd' || open === 'dt', new Set([...walls, 'dl'])))
    if (headings.has(name) && headings.has(stack.at(-1)?.name ?? '')) before += closeFrom(stack.length - 1)
    if (name === 'a') {
      const outer = stack.some((open) => open.name === 'a')
      if (outer && attributes.includes('class="img"')) {
        stack.push({ name, written: 'span' })
        return `${before}<span class="img">`
      }
      before += closeFrom(stack.findIndex((open) => open.name === 'a'))
    }
    if (tableParts.has(name)) {
      const table = stack.findLastIndex((open) => open.name === 'table')
      if (table < 0) return before
      const parent = stack.findLastIndex((open) => parents[name]!.includes(open.name))
      if (parent < table) {
        if (name === 'td' || name === 'th') before += closeFrom(table + 1)
        stack.push({ name: 'tr', written: 'tr' })
        before += '<tr>'
      } else before += closeFrom(parent + 1)
    } else if (
      stack.length > 0 &&
      /^(?:table|thead|tbody|tfoot|tr)$/.test(stack.at(-1)!.name) &&
      name === 'table'
    ) {
      before += closeFrom(stack.findLastIndex((open) => open.name === 'table'))
    }
    if (empty.has(name)) return before + whole
    if (stack.length >= maxDepth) throw new LimitReached('depth')
    stack.push({ name, written: name })
    return before + whole
  })
  return balanced + closeFrom(0)
}
