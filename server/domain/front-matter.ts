import { parse as parseToml, TomlDate } from 'smol-toml'

/** What the head of a text says about it. */
export interface FrontMatter {
  /** Empty where it names none. */
  title: string
  /** Milliseconds; null where it doesn’t say. */
  created: number | null
  updated: number | null
  /** How long it is, marks and all. */
  length: number
}

const createdNames = ['created', 'created_at', 'createdat', 'date', 'published', 'pubdate']
const updatedNames = ['updated', 'updated_at', 'updatedat', 'lastmod', 'modified', 'last_modified']

/**
 * Reads the front matter of a text whose lines end in `\n`: YAML between `---`, TOML between `+++`. Null where there is
 * none. Of YAML only what such heads have is read, and also what isn’t quite well-formed, as many tools write titles
 * without quoting them.
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const yaml = /^---[ \t]*\n(?:([^]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)
  const toml = yaml ? null : /^\+\+\+[ \t]*\n(?:([^]*?)\n)?\+\+\+[ \t]*(?:\n|$)/.exec(text)
  const [whole, inner = ''] = yaml ?? toml ?? []
  if (whole === undefined) return null
  const fields = yaml ? readYaml(inner) : readToml(inner)
  if (!fields) return { title: plainTitle(inner), created: null, updated: null, length: whole.length }
  const title = fields.get('title')
  return {
    title: typeof title === 'string' || typeof title === 'number' ? oneLine(String(title)) : '',
    created: firstTime(fields, createdNames),
    updated: firstTime(fields, updatedNames),
    length: whole.length,
  }
}

type Fields = Map<string, unknown>
/** Tools differ in how they write the names. */
const named = (table: unknown): Fields | null =>
  typeof table === 'object' && table !== null && !Array.isArray(table)
    ? new Map(Object.entries(table).map(([name, value]) => [name.toLowerCase(), value as unknown]))
    : null

/** Of YAML the fields that are words, a number or a time; lists and tables are passed over. */
function readYaml(text: string): Fields {
  const fields: Fields = new Map()
  // What is set further in, and what is empty, belongs to the field above it.
  for (const [first = '', ...more] of text.split(/\n(?=\S)/).map((part) => part.split('\n'))) {
    const colon = first.search(/:(?:[ \t]|$)/)
    if (colon < 1 || /^[-#?[{&*!|>%@`]/.test(first)) continue
    const name = first.slice(0, colon).trim()
    const value = yamlScalar(first.slice(colon + 1).trim(), more)
    if (value !== null) fields.set(name.replace(/^(["'])(.*)\1$/, '$2').toLowerCase(), value)
  }
  return fields
}

/** Lines are not told apart: whoever asks wants one. */
function yamlScalar(first: string, more: string[]): string | null {
  if (/^[|>][-+\d]*(?:[ \t]+#.*)?$/.test(first)) return more.join('\n')
  const text = [first, ...more].join('\n').trim()
  const double = /^"((?:[^"\\]|\\[^])*)"/.exec(text)?.[1]
  if (double !== undefined) return unescapeYaml(double)
  const single = /^'((?:[^']|'')*)'/.exec(text)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'")
  const plain = text.replace(/(?:^|[ \t])#.*$/gm, '').trim()
  const isNested =
    /^(?:[[{&*!|>%@`"']|-(?:\s|$))/.test(plain) || (first === '' && /^[^\n]*?:(?:\s|$)/.test(plain))
  return isNested || /^(?:~|null)?$/i.test(plain) ? null : plain
}

const yamlEscapes: Record<string, string> = {
  ...{ 0: '\0', a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b' },
  ...{ N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029', '\n': '' },
}

const unescapeYaml = (text: string) =>
  text.replace(
    /\\(?:(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(000[\da-fA-F]{5}|0010[\da-fA-F]{4}))|(\n[ \t]*|[^]))/g,
    (_whole, ...[x, u, long, other]: (string | undefined)[]) => {
      const digits = x ?? u ?? long
      if (digits !== undefined) return String.fromCodePoint(parseInt(digits, 16))
      return yamlEscapes[other![0]!] ?? other!
    },
  )

function readToml(text: string): Fields | null {
  try {
    return named(parseToml(text))
  } catch {
    return null
  }
}

function plainTitle(matter: string): string {
  const value = /^title[ \t]*[:=][ \t]*(.*)$/im.exec(matter)?.[1]?.trim() ?? ''
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1] ?? /^'([^']*)'/.exec(value)?.[1]
  if (quoted !== undefined) return oneLine(quoted.replace(/\\(["\\/])/g, '$1'))
  return /^[|>[{&*!]/.test(value) ? '' : oneLine(value.replace(/\s#.*$/, ''))
}

function firstTime(fields: Fields, names: readonly string[]): number | null {
  for (const name of names) {
    const at = timeOf(fields.get(name))
    if (at !== null) return at
  }
  return null
}

const written = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?[ ]?(Z|[+-]\d\d:?\d\d)?$/i

/** A day, or a time without a zone, is meant as it is where the text is imported. */
function timeOf(value: unknown): number | null {
  const text = value instanceof TomlDate ? value.toISOString() : typeof value === 'string' ? value.trim() : ''
  const parts = written.exec(text)
  if (!parts) return null
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0))
  const local = new Date(year!, month! - 1, day, hour, minute, second)
  // The 31st of a month of 30 days, or the 25th hour, is no time.
  if (local.getMonth() !== month! - 1 || local.getDate() !== day) return null
  const zone = parts[7]
  if (zone === undefined) return local.getTime()
  const clock = [hour, minute, second].map((one) => String(one).padStart(2, '0')).join(':')
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const at = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${clock}${offset}`)
  return Number.isNaN(at) ? null : at
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
