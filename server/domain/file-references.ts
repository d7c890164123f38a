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

/** A text that leads to files under other names. */
export function withReferences(
  content: string,
  references: readonly FileReference[],
  targetOf: (reference: FileReference) => string | undefined,
): string {
  let out = ''
  let last = 0
  for (const one of references) {
    const target = targetOf(one)
    if (target === undefined) continue
    out += content.slice(last, one.start) + target
    last = one.end
  }
  return out + content.slice(last)
}

/** With nothing but spaces in blocks of code, which show no pictures: what is beside them stays in its place. */
function withoutCode(content: string): string {
  if (!content.includes('```') && !content.includes('~~~')) return content
  let fence = ''
  return content.replace(/[^\r\n]+/g, (line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    if (!fence) {
      fence = mark?.[1] ?? ''
      return fence ? ' '.repeat(line.length) : line
    }
    if (mark && mark[1]!.startsWith(fence) && !mark[2]!.trim()) fence = ''
    return ' '.repeat(line.length)
  })
}
