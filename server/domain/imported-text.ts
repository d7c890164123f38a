import { readFrontMatter } from './front-matter.ts'
import { headOf, titleFrom } from './title.ts'

/** What an imported text says of itself, beyond its words. */
export interface ImportedText {
  title: string
  /** When it was first written and last changed, in milliseconds, if it says so and that isn’t still to come. */
  created: number | null
  updated: number | null
  /** Pictures that it shows from beside it, which are left out. Each once. */
  pictures: string[]
}

export function readImported(content: string, fileName: string, now: number): ImportedText {
  const matter = readFrontMatter(headOf(content))
  const past = (at: number | null | undefined) =>
    at !== null && at !== undefined && at >= 0 && at <= now ? at : null
  const created = past(matter?.created)
  const updated = past(matter?.updated)
  return {
    title: titleFrom(content, fileName),
    created: created ?? updated,
    updated: updated !== null && updated >= (created ?? 0) ? updated : null,
    pictures: picturesIn(content),
  }
}

const picture = new RegExp(
  [
    // ![words](target "title"), with the target perhaps between < and >
    String.raw`!\[[^\]\n]{0,1000}\]\(\s{0,9}(?:<([^>\n]{1,2000})>|([^\s()<>]{1,2000}))`,
    // ![[target|size]], as wikis write it
    String.raw`!\[\[([^\]|\n]{1,1000})`,
    String.raw`<img\s[^>]{0,1000}?src\s?=\s?["']([^"'\n]{1,2000})`,
  ].join('|'),
  'gi',
)

/** Where the pictures of a text are, as far as they are files beside it. */
function picturesIn(content: string): string[] {
  const found = new Set<string>()
  for (const [, bracketed, plain, wiki, html] of withoutCode(content).matchAll(picture)) {
    const target = (bracketed ?? plain ?? wiki ?? html)!.trim()
    const isElsewhere = /^([a-z][a-z0-9+.-]+:|\/\/|#)/i.test(target)
    // Wikis put whole notes into others in the same way.
    const isNote = wiki !== undefined && !/\.(png|jpe?g|gif|svg|webp|avif|bmp|tiff?|heic)$/i.test(target)
    if (!isElsewhere && !isNote) found.add(target)
  }
  return [...found]
}

/** Without blocks of code, which show no pictures. */
function withoutCode(content: string): string {
  if (!content.includes('```') && !content.includes('~~~')) return content
  let fence = ''
  return content
    .split(/\r\n?|\n/)
    .filter((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
      if (!fence) {
        fence = mark?.[1] ?? ''
        return !fence
      }
      if (mark && mark[1]!.startsWith(fence) && !mark[2]!.trim()) fence = ''
      return false
    })
    .join('\n')
}
