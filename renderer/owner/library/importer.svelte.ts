import { ApiError, type ApiClient } from '../../api/client.ts'
import type { Document } from '../../../server/contract/records.ts'
import { readMarkdown, UnreadableFile, type FoundFile } from './markdown-files.ts'

export interface ImportProblem {
  path: string
  reason: string
}

const atOnce = 4

/** Makes documents of files, some at a time, and remembers which could not be imported and why. */
export class Importer {
  total = $state(0)
  done = $state(0)
  running = $state(false)
  problems = $state.raw<ImportProblem[]>([])
  imported = $state.raw<Document[]>([])
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
    const queue = [...files]
    const work = async () => {
      for (let file = queue.shift(); file && !this.#stopped; file = queue.shift()) await this.#one(file)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    if (this.done >= this.total || this.#stopped) this.running = false
  }

  stop(): void {
    this.#stopped = true
  }

  clear(): void {
    this.total = 0
    this.done = 0
    this.problems = []
    this.imported = []
  }

  async #one(file: FoundFile): Promise<void> {
    try {
      const body = await readMarkdown(await file.read())
      const document = await (file.place?.(body) ?? this.#api.call('createDocument', { body }))
      this.imported = [...this.imported, document]
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
