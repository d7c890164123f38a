import { ApiError, type ApiClient } from '../../api/client.ts'
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
  /** Of files that were imported: the pictures that stayed beside them. */
  leftOut = $state.raw<{ path: string; pictures: string[] }[]>([])
  /** Files that wait for an answer. They stay until there is one. */
  offers = $state.raw<FeedbackOffer[]>([])
  readonly #api: ApiClient
  #stopped = false

  constructor(api: ApiClient) {
    this.#api = api
  }

  /** Adds files to what is being imported; resolves when all are through. */
  async import(files: FoundFile[], skipped: string[] = []): Promise<void> {
    if (!this.running) this.clear()
    this.total += files.length
    this.problems = [
      ...this.problems,
      ...skipped.map((path) => ({ path, reason: 'It isn’t a .md, .markdown or .txt file.' })),
    ]
    if (files.length === 0) return
    this.running = true
    this.#stopped = false
    const titles = await this.#titlesOf(files)
    await this.#each(files, (file) => this.#one(file, titles.get(file)))
    if (this.done >= this.total || this.#stopped) this.running = false
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
        const named = { ...text, ...(title === undefined ? {} : { title }) }
        const body = asFeedback ? { ...named, title: title ?? text.title, feedback: true as const } : named
        const place = asFeedback ? undefined : file.place
        const document = await (place?.(body) ?? this.#api.call('createDocument', { body }))
        this.imported = [...this.imported, document]
        if (pictures.length > 0) this.leftOut = [...this.leftOut, { path: file.path, pictures }]
      }
    } catch (error) {
      this.problems = [...this.problems, { path: file.path, reason: reasonOf(error) }]
    }
    this.done++
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile || error instanceof ApiError) return error.message
  return 'The browser could not read it.'
}
