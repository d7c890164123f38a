import { limits } from '../contract/limits.ts'
import { firstCodePoints } from './code-points.ts'

interface Titled {
  title: string
  /** With the folders it is in, between slashes. */
  path: string
}

/**
 * The titles of texts that come together. Where several have the same one, as every README has, each gets as many of
 * its folders before it as it takes to tell them apart; and where they are in one folder, their file’s name behind it.
 */
export function distinctTitles(texts: readonly Titled[]): string[] {
  const titles = texts.map(({ title }) => title)
  const alike = Map.groupBy(texts.keys(), (index) => texts[index]!.title.toLowerCase())
  for (const group of alike.values()) {
    if (group.length < 2) continue
    for (const [index, title] of apart(group.map((index) => texts[index]!)).entries())
      titles[group[index]!] = firstCodePoints(title, limits.titleLength)
  }
  return titles
}

function apart(texts: readonly Titled[]): string[] {
  const paths = texts.map(({ path }) => path.split('/').filter((part) => part !== '' && part !== '.'))
  const folders = paths.map((path) => path.slice(0, -1))
  const deepest = Math.max(...folders.map((path) => path.length))
  const inFolders = (depth: number) =>
    texts.map(({ title }, index) => [...folders[index]!.slice(-depth), title].join('/'))
  let titles = texts.map(({ title }) => title)
  // As soon as more folders tell no more apart, more would only be longer.
  const kinds = new Set(inFolders(Math.max(deepest, 1))).size
  for (let depth = 1; depth <= deepest; depth++) {
    titles = inFolders(depth)
    if (new Set(titles).size === kinds) break
  }
  const again = Map.groupBy(titles.keys(), (index) => titles[index]!)
  return titles.map((title, index) => {
    if (again.get(title)!.length === 1) return title
    const file = paths[index]!.at(-1)?.replace(/(?<=.)\.[^.]*$/, '') ?? ''
    return `${title} (${file})`
  })
}
