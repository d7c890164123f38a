import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { limits } from '../contract/limits.ts'

interface UnreadFile {
  path: string
  why: string
}
export interface FoundFiles {
  files: string[]
  problems: UnreadFile[]
  /** Links in folders that lead out of all that was named. */
  leftOut: string[]
}

const markdown = /\.(md|markdown|mdown|mkdn?|mdwn)$/i

/**
 * The files that a person means by these paths: each file that they name, and the markdown in each folder, sorted by
 * path, each file once however many links lead to it. In a folder, hidden files and folders are passed over, and
 * `node_modules` too, unless the person named it or something in it; and so are links that lead out of it, for a folder
 * may come from anybody, and what lies elsewhere was not asked for.
 */
export function findMarkdownFiles(paths: readonly string[]): FoundFiles {
  const files: string[] = []
  const problems: UnreadFile[] = []
  const leftOut: string[] = []
  const seen = new Set<string>()
  const attempt = (at: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      problems.push({ path: at, why: explainReading(error) })
    }
  }
  const isNew = (at: string) => {
    const real = realpathSync.native(at)
    if (seen.has(real)) return false
    seen.add(real)
    return true
  }

  const roots = paths.flatMap((named) => realPath(named) ?? [])
  const isNamed = (real: string) =>
    roots.some((root) => real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep))

  for (const named of paths) {
    attempt(named, () => {
      const stats = statSync(named)
      if (stats.isFile()) {
        if (isNew(named)) files.push(named)
        return
      }
      if (!stats.isDirectory()) {
        problems.push({ path: named, why: 'neither a file nor a folder' })
        return
      }
      const packages = path.resolve(named).split(path.sep).includes('node_modules')
      const wanted = (entry: Dirent) =>
        !entry.name.startsWith('.') && (packages || entry.name !== 'node_modules')
      const count = files.length
      const failed = problems.length
      // A list instead of recursion: folders may be nested deeper than calls can be.
      const folders = [named]
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        const here = folder
        attempt(here, () => {
          if (!isNew(here)) return
          const inside: string[] = []
          for (const entry of readdirSync(here, { withFileTypes: true }).filter(wanted).sort(byName)) {
            const at = path.join(here, entry.name)
            const isMarkdown = markdown.test(entry.name)
            if (!isMarkdown && !entry.isDirectory() && !entry.isSymbolicLink()) continue
            attempt(at, () => {
              const kind = entry.isSymbolicLink() ? followed(at, isMarkdown) : entry
              const isWanted = kind?.isDirectory() || (isMarkdown && kind?.isFile())
              if (isWanted && entry.isSymbolicLink() && !isNamed(realpathSync.native(at)))
                return void leftOut.push(at)
              if (kind?.isDirectory()) inside.push(at)
              else if (isMarkdown && kind?.isFile() && isNew(at)) files.push(at)
            })
          }
          folders.push(...inside.reverse())
        })
      }
      if (files.length === count && problems.length === failed && paths.length === 1) {
        problems.push({ path: named, why: 'there is no markdown in this folder' })
      }
    })
  }
  return { files, problems, leftOut }
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)

function realPath(at: string): string | undefined {
  try {
    return realpathSync.native(at)
  } catch {
    // Why is told where it is looked at.
    return undefined
  }
}

/** What a link leads to; one that leads nowhere matters only where it should be a text. */
function followed(link: string, isMarkdown: boolean) {
  try {
    return statSync(link)
  } catch (error) {
    if (isMarkdown) throw error
    return undefined
  }
}

/** Why a file or folder couldn't be read, in a few words. */
export function explainReading(error: unknown): string {
  switch ((error as { code?: unknown }).code) {
    case 'ENOENT':
      return 'not found'
    case 'EACCES':
    case 'EPERM':
      return 'reading it isn’t allowed'
    case 'ELOOP':
      return 'a link that leads back to itself'
    default:
      return (error as Error).message
  }
}

/** A file's text exactly as it is, or why it can't be a document. */
export function readMarkdown(file: string): string | { why: string } {
  try {
    const tooLarge = (bytes: number) => ({
      why: `larger than 10 MiB (${bytes.toLocaleString('en')} bytes)`,
    })
    const { size } = statSync(file)
    if (size > limits.contentBytes) return tooLarge(size)
    const bytes = readFileSync(file)
    if (bytes.length > limits.contentBytes) return tooLarge(bytes.length)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return { why: 'not UTF-8 text' }
    return { why: explainReading(error) }
  }
}
