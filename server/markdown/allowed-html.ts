import { FilterXSS } from 'xss'
import { decodeReferences } from './entities.ts'
import { escapeHtml } from './escape-html.ts'
import { findLinkTarget, linkAttributes } from './link-target.ts'

/** What the renderer does with the parts of raw HTML that aren't simply kept or dropped. */
export interface RawHtmlParts {
  /** Text between tags, and tags that no HTML knows; `at` is where it stands in the raw HTML. */
  text(raw: string, at: number): string
  image(image: RawImage, at: number, length: number): string
}

export interface RawImage {
  src: string
  alt: string
  title: string
  /** Safe attributes for an image that is shown. */
  attributes: string
}

type AttributeRule = (value: string) => boolean
const align: AttributeRule = (value) => /^(?:left|right|center|justify)$/i.test(value)
const size: AttributeRule = (value) => /^\d{1,4}(?:px|%)?$/.test(value)
const count: AttributeRule = (value) => /^[1-9]\d{0,2}$/.test(value)
const cell = { align, width: size, height: size, colspan: count, rowspan: count }
const none = {}

const everywhere: Record<string, AttributeRule> = {
  title: () => true,
  dir: (value) => /^(?:ltr|rtl|auto)$/i.test(value),
}

/** The elements readers' raw HTML may hold, and their attributes. `a` and `img` are made by hand. */
const allowed = new Map<string, Record<string, AttributeRule>>([
  ['div', { align }],
  ['p', { align }],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, Record<string, AttributeRule>] => [
    name,
    { align },
  ]),
  ['table', { align, width: size }],
  ['tr', { align }],
  ['td', cell],
  ['th', cell],
  ['ol', { start: (value) => /^-?\d{1,9}$/.test(value), reversed: (value) => value === '' }],
  ['details', { open: (value) => value === '' || value === 'open' }],
  ...(
    'a abbr b blockquote br caption cite code dd del dfn dl dt em figcaption figure hr i ins kbd li mark ' +
    'pre q rp rt ruby s samp small strike strong sub summary sup tbody tfoot thead tt u ul var wbr'
  )
    .split(' ')
    .map((name): [string, Record<string, AttributeRule>] => [name, none]),
])

/** Elements whose text isn't text: gone with all they hold. */
const opaque = new Set(
  'script style title textarea iframe noframes noscript noembed object embed applet template svg math xmp plaintext select head audio video canvas'.split(
    ' ',
  ),
)

/** Other elements HTML knows: the tags are dropped and what they hold stays. */
const known = new Set(
  (
    'address area article aside acronym base basefont bdi bdo bgsound big blink body button center col colgroup data ' +
    'datalist dialog dir fieldset font footer form frame frameset header hgroup html input isindex keygen label legend ' +
    'link listing main map marquee menu menuitem meta meter nav nobr optgroup option output param picture portal ' +
    'progress rb rtc search section slot source span spacer time track'
  ).split(' '),
)

const markup =
  /<!--(?:-?>|[\s\S]*?(?:-->|$))|<[!?][\s\S]*?(?:>|$)|<(\/?)([A-Za-z][^\s/>"'<]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/g

/** Reduces raw HTML to what is allowed. Tags may be left unbalanced: see `balance`. */
export function sanitise(raw: string, parts: RawHtmlParts): string {
  let out = ''
  let last = 0
  let dead: string | null = null
  let lower: string | null = null
  const unclosed = new Set<string>()
  const closesAfter = (name: string, from: number): boolean => {
    if (unclosed.has(name)) return false
    lower ??= raw.toLowerCase()
    const closes = lower.indexOf(`</${name}`, from) >= 0
    if (!closes) unclosed.add(name)
    return closes
  }
  for (const match of raw.matchAll(markup)) {
    const at = match.index
    if (!dead && at > last) out += parts.text(raw.slice(last, at), last)
    last = at + match[0].length
    if (!match[2]) continue
    const name = match[2].toLowerCase()
    if (dead) {
      if (match[1] && name === dead) dead = null
    } else if (opaque.has(name)) {
      if (!match[1] && closesAfter(name, last)) dead = name
    } else if (name === 'img' || name === 'image') {
      if (!match[1]) out += parts.image(readImage(match[3]!), at, match[0].length)
    } else if (allowed.has(name)) {
      if (match[1]) out += `</${name}>`
      else out += name === 'a' ? link(match[3]!) : `<${name}${attributes(name, match[3]!)}>`
    } else if (!known.has(name)) {
      out += parts.text(match[0], at)
    }
  }
  if (!dead && last < raw.length) out += parts.text(raw.slice(last), last)
  return out
}

function attributes(name: string, source: string): string {
  const rules = allowed.get(name)!
  let out = ''
  for (const [key, value] of readAttributes(name, source)) {
    const rule = Object.hasOwn(rules, key)
      ? rules[key]
      : Object.hasOwn(everywhere, key)
        ? everywhere[key]
        : undefined
    if (rule?.(value)) out += ` ${key}="${escapeHtml(value)}"`
  }
  return out
}

/** The opening tag of a link; nothing for one that leads nowhere allowed. */
function link(source: string): string {
  const read = readAttributes('a', source)
  const target = read.has('href') ? findLinkTarget(read.get('href')!) : null
  const title = read.get('title')
  return target ? `<a${linkAttributes(target)}${title ? ` title="${escapeHtml(title)}"` : ''}>` : ''
}

function readImage(source: string): RawImage {
  const read = readAttributes('img', source)
  let kept = ''
  for (const [key, rule] of Object.entries({ width: size, height: size, align })) {
    const value = read.get(key)
    if (value !== undefined && rule(value)) kept += ` ${key}="${escapeHtml(value)}"`
  }
  return {
    src: read.get('src') ?? '',
    alt: read.get('alt') ?? '',
    title: read.get('title') ?? '',
    attributes: kept,
  }
}

/** The allowed attributes of one tag, as xss reads them, with character references decoded. */
function readAttributes(name: string, source: string): Map<string, string> {
  read = new Map()
  filter.process(`<${name} ${source}>`)
  return read
}

let read = new Map<string, string>()
const filter = new FilterXSS({
  whiteList: {
    ...Object.fromEntries(
      [...allowed].map(([name, rules]) => [name, [...Object.keys(rules), ...Object.keys(everywhere)]]),
    ),
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height', 'align'],
  },
  onTagAttr(_tag, name, value) {
    if (!read.has(name)) read.set(name, decodeReferences(value))
    return name
  },
})
