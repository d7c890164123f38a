import { freeFileName, safeFileName } from './stored-file-name.ts'

/** Where a text leads to a file beside it. */
export interface FileReference {
  /** As it is written. */
  target: string
  /** Where that stands. */
  start: number
  end: number
  isPicture: boolean
  /** Whether markdown or HTML shows what stands there; what wikis write does nothing here. */
  isShown: boolean
}

const reference = new RegExp(
  [
    // ![words](target "title"), with the target perhaps between < and >
    String.raw`!\[[^\]\n]{0,1000}\]\(\s{0,9}(?:<([^>\n]{1,2000})>|([^\s()<>]{1,2000}))`,
    // ![[target|size]], as wikis write it
    String.raw`!\[\[([^\]|\n]{1,1000})`,
    String.raw`<img\s[^>]{0,1000}?src\s?=\s?["']([^"'\n]{1,2000})`,
    // [words](files/target), as Galley exports it
    String.raw`\]\(\s{0,9}<?((?:\.\/)?files\/[^\s()<>]{1,1000})`,
  ].join('|'),
  'gid',
)

/** The pictures that a text shows from beside it, and the files it leads to in `files/`, in their order. */
export function referencesIn(content: string): FileReference[] {
  const found: FileReference[] = []
  for (const match of withoutCode(content).matchAll(reference)) {
    const group = [1, 2, 3, 4, 5].find((index) => match[index] !== undefined)!
    const target = match[group]!.trim()
    const isWiki = group === 3
    const isElsewhere = /^([a-z][a-z0-9+.-]+:|\/\/|#)/i.test(target)
    // Wikis put whole notes into others in the same way.
    const isNote = isWiki && !/\.(png|jpe?g|gif|svg|webp|avif|bmp|tiff?|heic)$/i.test(target)
    if (isElsewhere || isNote || target === '') continue
    const start = match.indices![group]![0] + match[group]!.indexOf(target)
    found.push({ target, start, end: start + target.length, isPicture: group !== 5, isShown: !isWiki })
  }
  return found
}

/** Whether a text leads to a file of its own by this name, in whatever form that is written. */
export const leadsTo = (content: string, name: string): boolean => countLeadingTo(content, name) > 0

/** In how many places it does. */
export const countLeadingTo = (content: string, name: string): number =>
  [...content.matchAll(/files\/([^\s()<>"'#?|\]]+)/g)].filter(
    ([, written]) => written === name || decoded(written!) === name,
  ).length

interface BroughtText<Source> {
  /** Leading to the files by the names that they have beside it. */
  content: string
  /** `target` is how the text first led there, before it was brought. */
  files: { name: string; source: Source; target: string }[]
  /** The pictures that don't come along, as the text names them. */
  missing: string[]
}

/**
 * A text with what it leads to, each once and under a name of its own, as `files/NAME`.
 * @param find the source of what is referred to, the same object for the same, and what it is called; undefined where it
 *   can't come along
 */
export async function bringFiles<Source>(
  content: string,
  find: (reference: FileReference) => Promise<{ source: Source; called: string } | undefined>,
): Promise<BroughtText<Source>> {
  const names = new Map<Source, string>()
  const targets = new Map<Source, string>()
  const missing = new Set<string>()
  const taken = new Set<string>()
  let out = ''
  let last = 0
  for (const reference of referencesIn(content)) {
    const found = reference.isShown ? await find(reference) : undefined
    if (!found) {
      if (reference.isPicture) missing.add(reference.target)
      continue
    }
    const name =
      names.get(found.source) ?? freeFileName(safeFileName(found.called), (other) => taken.has(other))
    names.set(found.source, name)
    taken.add(name)
    const [bare, width] = withoutWidth(reference.target)
    if (!targets.has(found.source)) targets.set(found.source, bare)
    // What leads there already stays as it is written.
    if (decoded(bare) === `files/${name}`) continue
    out += `${content.slice(last, reference.start)}files/${encodeURIComponent(name)}${width}`
    last = reference.end
  }
  const files = [...names].map(([source, name]) => ({ name, source, target: targets.get(source)! }))
  return { content: out + content.slice(last), files, missing: [...missing] }
}

/** The other way: a text that leads to `files/NAME`, leading to another target where there is one for that name. */
export function redirectFiles(content: string, targets: ReadonlyMap<string, string>): string {
  let out = ''
  let last = 0
  for (const { target, start, end } of referencesIn(content)) {
    const name = brought(target)
    const other = name === undefined ? undefined : targets.get(name)
    if (other === undefined) continue
    out += content.slice(last, start) + asTarget(other) + withoutWidth(target)[1]
    last = end
  }
  return out + content.slice(last)
}

/** The names of what a text leads to as `files/NAME`. */
export const broughtFilesIn = (content: string): Set<string> =>
  new Set(referencesIn(content).flatMap(({ target }) => brought(target) ?? []))

const brought = (target: string) => /^(?:\.\/)?files\/([^/]+)$/.exec(decoded(withoutWidth(target)[0]))?.[1]

function withoutWidth(target: string): [bare: string, width: string] {
  const [width = ''] = /#width=\d{1,3}%?$/.exec(target) ?? []
  return [target.slice(0, -width.length || undefined), width]
}

/** A path as it may stand in markdown and in HTML. */
const asTarget = (path: string) =>
  path.replace(/[\s<>()"'\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** The names by which what a text refers to may be there: as it is written, or percent-encoded, with or without what comes after. */
export function namesOf(target: string): string[] {
  const bare = target.replace(/[?#].*$/, '')
  return [...new Set([target, bare, decoded(bare)])]
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** With nothing but spaces in blocks of code, which show no pictures: what is beside them stays in its place. */
function withoutCode(content: string): string {
  if (!content.includes('```') && !content.includes('~~~')) return content
  let fence = ''
  return content.replace(/[^\r\n]+/g, (line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line)
    if (!fence) {
      fence = mark?.[1] ?? ''
      return fence ? ' '.repeat(line.length) : line
    }
    if (mark && mark[1]!.startsWith(fence) && !mark[2]!.trim()) fence = ''
    return ' '.repeat(line.length)
  })
}
