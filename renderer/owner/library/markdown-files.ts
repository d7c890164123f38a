import { limits } from '../../../server/contract/limits.ts'
import type { Document } from '../../../server/contract/records/documents.ts'

export interface MarkdownText {
  title: string
  content: string
  /** When it says that it was written, and last changed. */
  created_at?: string
  updated_at?: string
  /** Whether the suggestions and comments in it, which are CriticMarkup, are taken as such. */
  feedback?: true
}

/** What was read of a file, and what of it can’t come along. */
export interface ReadMarkdown {
  text: MarkdownText
  pictures: string[]
  feedback: FoundFeedback | null
}

/** Suggestions and comments that a text holds as CriticMarkup. */
export interface FoundFeedback {
  /** “3 suggestions and 2 comments” */
  words: string
  /** What the text beside them is called. */
  title: string
  /** Signs that are broken, and stay text. */
  kept: string[]
}

/** A file a person chose or dropped, with the path it had below the folder it came in. */
export interface FoundFile {
  path: string
  read: () => Promise<File>
  /** Another file that came with it, by its path; undefined if there is none. */
  beside?: (path: string) => (() => Promise<File>) | undefined
  /** Makes a document of it, if not simply a new one. */
  place?: (text: MarkdownText) => Promise<Document>
}

const isMarkdown = (name: string) => /\.(md|markdown|mdown|mkdn?|mdwn|txt)$/i.test(name)
// What tools and systems put beside people’s writing.
const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules' || name === '__MACOSX'

/** A file that can’t become a document, and why, for the person who chose it. */
export class UnreadableFile extends Error {}

/** Reads a file as markdown, exactly. */
export async function readMarkdown(file: File): Promise<ReadMarkdown> {
  if (file.size > limits.contentBytes)
    throw new UnreadableFile('It is larger than a document may be (10 MiB).')
  const content = decode(await bytesOf(file))
  // What front matter is read with is of no use before the first import.
  const { readImported } = await import('../../../server/domain/imported-text.ts')
  const { title, created, updated, pictures } = readImported(content, file.name, Date.now())
  return {
    text: {
      title,
      content,
      ...(created === null ? {} : { created_at: new Date(created).toISOString() }),
      ...(updated === null ? {} : { updated_at: new Date(updated).toISOString() }),
    },
    pictures,
    feedback: await feedbackIn(content, file.name),
  }
}

/** Most texts have no such sign, and nothing more is loaded for them. */
async function feedbackIn(content: string, fileName: string): Promise<FoundFeedback | null> {
  if (!/\{(?:\+\+|--|~~|>>|==)/.test(content)) return null
  const { readCriticMarkup } = await import('../../../server/domain/critic-markup/read.ts')
  const { wordsForFeedback, wordsForKept } = await import('../../../server/domain/critic-markup/told.ts')
  const { readImported } = await import('../../../server/domain/imported-text.ts')
  const read = readCriticMarkup(content)
  // More than comes in at once stays text.
  const words = read && wordsForFeedback(read)
  if (!words) return null
  const { title } = readImported(read.content, fileName, Date.now())
  return { words, title, kept: read.kept.map(wordsForKept) }
}

async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new UnreadableFile('The browser could not read it.')
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new UnreadableFile('It is text in UTF-16. Save it as UTF-8, and try again.')
  let content: string
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile('It isn’t text in UTF-8.')
  }
  if (content.includes('\0')) throw new UnreadableFile('It isn’t text.')
  return content
}

/** What was chosen by itself came without its folder: there a picture is found by its name. */
const besideIn = (others: ReadonlyMap<string, () => Promise<File>>, path: string) =>
  others.get(path) ?? others.get(path.split('/').at(-1)!)

/** The markdown among chosen files, and the names of those that are something else. */
export function chosenFiles(files: Iterable<File>): { found: FoundFile[]; skipped: string[] } {
  const found: FoundFile[] = []
  const skipped: string[] = []
  const others = new Map<string, () => Promise<File>>()
  const beside = (path: string) => besideIn(others, path)
  for (const file of files) {
    const path = file.webkitRelativePath || file.name
    if (path.split('/').slice(0, -1).some(isSkipped)) continue
    if (isMarkdown(file.name)) found.push({ path, read: () => Promise.resolve(file), beside })
    else {
      others.set(path, () => Promise.resolve(file))
      if (!file.webkitRelativePath) skipped.push(path)
    }
  }
  return { found, skipped }
}

/** The markdown among dropped files and folders. Must be called while the drop is being handled. */
export async function droppedFiles(data: DataTransfer): Promise<{ found: FoundFile[]; skipped: string[] }> {
  const items = [...data.items].filter((item) => item.kind === 'file')
  const roots = items.flatMap((item) => item.webkitGetAsEntry() ?? [])
  // What has no entry in a file system, such as a picture dragged out of a page, is a file all the same.
  const { found, skipped } = chosenFiles(
    items.flatMap((item) => (item.webkitGetAsEntry() ? [] : (item.getAsFile() ?? []))),
  )
  const others = new Map<string, () => Promise<File>>()
  const beside = (path: string) => besideIn(others, path)
  const visit = async (entry: FileSystemEntry, isRoot: boolean): Promise<void> => {
    const path = entry.fullPath.replace(/^\//, '')
    if (entry.isDirectory) {
      if (isSkipped(entry.name)) return
      for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) await visit(child, false)
      return
    }
    const file = entry as FileSystemFileEntry
    const read = () => new Promise<File>((resolve, reject) => file.file(resolve, reject))
    if (isMarkdown(entry.name)) found.push({ path, read, beside })
    else {
      if (!isSkipped(entry.name)) others.set(path, read)
      if (isRoot) skipped.push(path)
    }
  }
  for (const root of roots) await visit(root, true)
  found.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { found, skipped }
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    // A browser gives at most a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}
