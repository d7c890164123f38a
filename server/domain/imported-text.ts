import { referencesIn } from './file-references.ts'
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
    pictures: [
      ...new Set(referencesIn(content).flatMap(({ isPicture, target }) => (isPicture ? [target] : []))),
    ],
  }
}
