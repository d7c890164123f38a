import { ApiError, type ApiClient } from '../../api/client.ts'
import { upload } from '../../api/upload.ts'
import { limits } from '../../../server/contract/limits.ts'
import type { Document } from '../../../server/contract/records/documents.ts'
import { readMarkdown, UnreadableFile, type FoundFeedback, type FoundFile } from './markdown-files.ts'

export interface ImportProblem {
  path: string
  reason: string
}

/** A file that holds suggestions and comments, of which a person has to say what they are. */
interface FeedbackOffer extends FoundFeedback {
  file: FoundFile
  /** What it is called beside other files, where that is something else. */
  called: string | undefined
}

const atOnce = 4

/** Makes documents of files, some at a time, and remembers which could not be imported and why. */
export class Importer {
  total = $state(0)
  done = $state(0)
  running = $state(false)
  problems = $state.raw<ImportProblem[]>([])
  imported = $state.raw<Document[]>([])
  /** Of files that were imported: the pictures that didn’t come along. */
  leftOut = $state.raw<{ path: string; pictures: string[] }[]>([])
  /** Files that wait for an answer. They stay until there is one. */
  offers = $state.raw<FeedbackOffer[]>([])
  readonly #api: ApiClient
  #stopped = false
  /** The paths of what came along with texts. */
  #brought = new Set<string>()

  constructor(api: ApiClient) {
    this.#api = api
  }

  /** Adds files to what is being imported; resolves when all are through. */
  async import(files: FoundFile[], skipped: string[] = []): Promise<void> {
    if (!this.running) this.clear()
    this.total += files.length
    if (files.length === 0) return this.#refuse(skipped)
    this.running = true
    this.#stopped = false
    const titles = await this.#titlesOf(files)
    await this.#each(files, (file) => this.#one(file, titles.get(file)))
    this.#refuse(skipped.filter((path) => !this.#brought.has(path)))
    if (this.done >= this.total || this.#stopped) this.running = false
  }

  #refuse(paths: readonly string[]): void {
    const reason = 'It isn’t a .md, .markdown or .txt file.'
    this.problems = [...this.problems, ...paths.map((path) => ({ path, reason }))]
  }

  /** Makes documents of the files that waited, with the feedback in them or with its signs as text. */
  async answerOffers(asFeedback: boolean): Promise<void> {
    // What was opened is a document already, with its signs as text.
    const offers = this.offers.filter(({ file }) => asFeedback || !file.place)
    this.offers = []
    if (!this.running) this.clear()
    if (offers.length === 0) return
    this.total += offers.length
    this.running = true
    this.#stopped = false
    const titles = new Map(offers.map(({ file, called, title }) => [file, called ?? title]))
    const files = offers.map(({ file }) => file)
    await this.#each(files, (file) => this.#one(file, titles.get(file), asFeedback))
    this.running = this.done < this.total && !this.#stopped
  }

  stop(): void {
    this.#stopped = true
  }

  clear(): void {
    this.total = 0
    this.done = 0
    this.problems = []
    this.imported = []
    this.leftOut = []
    this.#brought.clear()
  }

  async #each(files: readonly FoundFile[], work: (file: FoundFile) => Promise<void>): Promise<void> {
    const queue = [...files]
    const worker = async () => {
      for (let file = queue.shift(); file && !this.#stopped; file = queue.shift()) await work(file)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  /**
   * What each is called beside the others. They are read once for this and once more to be sent: together they may be
   * more than there is memory.
   */
  async #titlesOf(files: readonly FoundFile[]): Promise<Map<FoundFile, string>> {
    // What was opened has its own way of becoming a document.
    const some = files.filter(({ place }) => !place)
    if (some.length < 2) return new Map()
    const found: { file: FoundFile; path: string; title: string }[] = []
    await this.#each(some, async (file) => {
      try {
        const { text } = await readMarkdown(await file.read())
        found.push({ file, path: file.path, title: text.title })
      } catch {
        // Why it can’t be read is said when its turn comes.
      }
    })
    const { distinctTitles } = await import('../../../server/domain/distinct-titles.ts')
    const titles = distinctTitles(found)
    return new Map(found.map(({ file }, index) => [file, titles[index]!]))
  }

  /** @param asFeedback what was answered of the feedback in it; undefined if nobody has been asked yet */
  async #one(file: FoundFile, title: string | undefined, asFeedback?: boolean): Promise<void> {
    try {
      const { text, pictures, feedback } = await readMarkdown(await file.read())
      const waits = feedback !== null && asFeedback === undefined
      if (waits) this.offers = [...this.offers, { ...feedback, file, called: title }]
      if (!waits || file.place) {
        const { content, files, missing } = file.place
          ? { content: text.content, files: [], missing: pictures }
          : await this.#bring(file, text.content)
        const named = { ...text, content, ...(title === undefined ? {} : { title }) }
        const body = asFeedback ? { ...named, title: title ?? text.title, feedback: true as const } : named
        const place = asFeedback ? undefined : file.place
        const document = await (place?.(body) ?? this.#api.call('createDocument', { body }))
        this.imported = [...this.imported, document]
        const lost = await this.#store(document, files)
        const left = [...missing, ...lost]
        if (left.length > 0) this.leftOut = [...this.leftOut, { path: file.path, pictures: left }]
      }
    } catch (error) {
      this.problems = [...this.problems, { path: file.path, reason: reasonOf(error) }]
    }
    this.done++
  }

  /** With the files that came with it and that it leads to, under the names that they will have. */
  async #bring(file: FoundFile, content: string) {
    const { bringFiles, namesOf } = await import('../../../server/domain/file-references.ts')
    const read = new Map<() => Promise<File>, File | undefined>()
    return bringFiles(content, async ({ target, isPicture }) => {
      for (const name of namesOf(target)) {
        const path = pathFrom(file.path, name)
        const reading = file.beside?.(path)
        if (!reading) continue
        if (!read.has(reading)) read.set(reading, await reading().catch(() => undefined))
        const found = read.get(reading)
        const isShown = !isPicture || (/^image\//.test(found?.type ?? '') && found?.type !== 'image/svg+xml')
        if (!found || found.size > limits.fileBytes || !isShown) continue
        this.#brought.add(path).add(path.split('/').at(-1)!)
        return { source: found, called: found.name }
      }
      return undefined
    })
  }

  /** @returns the names of those that could not be stored */
  async #store({ id }: Document, files: readonly { name: string; source: File }[]): Promise<string[]> {
    const lost: string[] = []
    for (const { name, source } of files) {
      const url = this.#api.url('addFile', { params: { id }, query: { name } })
      await upload(url, source).catch((error: unknown) => lost.push(`${name} (${reasonOf(error)})`))
    }
    return lost
  }
}

/** Where a relative path leads from a file, as paths are written in folders that were dropped. */
function pathFrom(file: string, target: string): string {
  const parts = file.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile || error instanceof ApiError) return error.message
  return 'The browser could not read it.'
}
