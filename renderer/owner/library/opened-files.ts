import { ApiError, type ClientOf } from '../../api/client-of.ts'
import type { DesktopFiles, FileOrigin, FileProblem, OpenedFile } from '../../../server/contract/desktop.ts'
import type { Document } from '../../../server/contract/records/documents.ts'
import { digestOf } from './digest.ts'
import type { Importer } from './importer.svelte.ts'
import { UnreadableFile, type FoundFile, type MarkdownText } from './markdown-files.ts'

/** What opening a file came to. */
export type Opened = { name: string; document: Document } & (
  | { became: 'new' }
  /** It is as it was when it was opened last, so this is the document that was made of it then. */
  | { became: 'known' }
  /** It had changed and the document hadn’t, which has the new text now; `before` is the revision that hasn’t. */
  | { became: 'updated'; before: number }
  /** Both had changed, so that it is a second document. */
  | { became: 'second' }
)

const problems: Record<FileProblem, string> = {
  gone: 'It isn’t there any more.',
  folder: 'It is a folder. Import it as one, or drop it on the window.',
  'too-large': 'It is larger than a document may be (10 MiB).',
  forbidden: 'Reading it isn’t allowed.',
  unreadable: 'It can’t be read.',
}

/** Makes documents of the files that were opened with the desktop app, and knows again those it has made before. */
export class OpenedFiles {
  readonly #files: Pick<DesktopFiles, 'take' | 'read' | 'finish'>
  readonly #api: ClientOf<'createDocument' | 'getDocument' | 'updateDocument'>
  readonly #importer: Importer

  constructor(
    files: Pick<DesktopFiles, 'take' | 'read' | 'finish'>,
    api: ClientOf<'createDocument' | 'getDocument' | 'updateDocument'>,
    importer: Importer,
  ) {
    this.#files = files
    this.#api = api
    this.#importer = importer
  }

  /** Takes what there is to be taken; what couldn’t be read is among the importer’s problems. */
  async take(): Promise<Opened[]> {
    const files = await this.#files.take()
    const opened = new Map<number, Opened>()
    await this.#importer.import(files.map((file) => this.#found(file, (one) => opened.set(file.id, one))))
    for (const { id } of files) if (!opened.has(id)) this.#files.finish(id, null)
    return files.flatMap(({ id }) => opened.get(id) ?? [])
  }

  #found({ id, name }: OpenedFile, done: (opened: Opened) => void): FoundFile {
    let origin: FileOrigin | null = null
    return {
      path: name,
      read: async () => {
        const answer = await this.#files.read(id)
        if ('problem' in answer) throw new UnreadableFile(problems[answer.problem])
        origin = answer.origin
        return new File([answer.bytes], name)
      },
      place: async (text) => {
        const digest = await digestOf(text.content)
        const opened = { name, ...(await this.#place(text, digest, origin)) }
        this.#files.finish(id, { document: opened.document.id, digest })
        done(opened)
        return opened.document
      },
    }
  }

  async #place(text: MarkdownText, digest: string, origin: FileOrigin | null) {
    const create = async <Became extends string>(became: Became) => ({
      became,
      document: await this.#api.call('createDocument', { body: text }),
    })
    const document = origin && (await this.#find(origin.document))
    if (!document) return create('new')
    if (digest === origin.digest || document.content === text.content)
      return { became: 'known' as const, document }
    if ((await digestOf(document.content)) !== origin.digest) return create('second')
    try {
      const updated = await this.#api.call('updateDocument', {
        params: { id: document.id },
        body: { content: text.content },
        ifMatch: document.revision,
      })
      return { became: 'updated' as const, document: updated, before: document.revision }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'PRECONDITION_FAILED') return create('second')
      throw error
    }
  }

  async #find(id: string): Promise<Document | null> {
    try {
      return await this.#api.call('getDocument', { params: { id } })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
      throw error
    }
  }
}
