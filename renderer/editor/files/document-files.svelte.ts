import { ChangeSet } from '@codemirror/state'
import type { ClientOf } from '../../api/client-of.ts'
import { upload } from '../../api/upload.ts'
import { limits } from '../../../server/contract/limits.ts'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { leadsTo } from '../../../server/domain/file-references.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import { FileTooLarge, type Attachments, type FileRefused } from './attachments.ts'
import { apart, markdownOf } from './file-markdown.ts'
import { KeptPictures } from './kept-pictures.ts'
import { KnownFiles } from './known-files.ts'
import { Originals } from './originals.ts'
import { storeOnce } from './store-once.ts'
import { deliverWaiting, type Delivered } from './waiting/deliver-waiting.ts'
import { WaitingFiles, type FilesWaiting } from './waiting/waiting-files.ts'
import { indexedDbWaitingFiles } from './waiting/waiting-files-database.ts'

/** What is asked of the API for the sake of files. */
export type FilesApi = ClientOf<'addFile' | 'listFiles' | 'getFile' | 'deleteFile'>

interface Options {
  api: FilesApi
  documentId: string
  /** By which link the document is open, if by one. */
  linkToken: string | undefined
  /** The name under which this window writes. */
  writer: string
  text: EditedText
  /** Resolves once what was written is on the server or safe in the browser. */
  settle: () => Promise<void>
  /** Why no files may be added, where they may not. */
  refusal: () => string | null
  onRefused: (refused: FileRefused) => void
  /** A file waits in this browser for the server. */
  onKept: () => void
}

/** The files of an open text: what the server has of them, and what waits here for the server. */
export class DocumentFiles {
  /** Whether files that were added here aren’t on the server yet. */
  waits = $state<FilesWaiting>('none')
  /** What an editor of the text is given. */
  readonly attachments: Omit<Attachments, 'way'>
  readonly #waiting: WaitingFiles
  readonly #text: EditedText
  readonly #settle: () => Promise<void>

  constructor({ api, documentId, linkToken, writer, text, settle, refusal, onRefused, onKept }: Options) {
    this.#text = text
    this.#settle = settle
    this.#waiting = new WaitingFiles({
      store: indexedDbWaitingFiles(),
      documentId,
      token: linkToken ?? null,
      writer,
      onKept,
      onWaiting: (waiting) => (this.waits = waiting),
    })
    const params = { id: documentId }
    const listFiles = () => api.call('listFiles', { params })
    const known = new KnownFiles(listFiles)
    const most = linkToken === undefined ? limits.fileBytes : limits.guestFileBytes
    /** What others may use as well. */
    const there = new WeakSet<StoredFile>()
    this.attachments = {
      find: known.find,
      follow: known.follow,
      urlOf: (file) => api.url('getFile', { params: { ...params, file } }),
      refusal,
      add: async (bytes, name, onProgress, signal) => {
        if (bytes.size > most) throw new FileTooLarge(most)
        const { file, isNew } = await storeOnce(bytes, {
          ...{ documentId, list: listFiles },
          send: async () => {
            signal.throwIfAborted()
            const url = api.url('addFile', { params, query: { name, reuse: 'true' } })
            const { data, isReplayed } = await upload(url, bytes, { onProgress, signal })
            return { file: data as StoredFile, isNew: !isReplayed }
          },
        })
        if (!isNew) there.add(file)
        known.add(file)
        return file
      },
      // Where that can't be, its owner finds it in the list.
      drop: (file) => {
        if (there.has(file) || leadsTo(text.current, file.name)) return
        void api.call('deleteFile', { params: { ...params, file: file.id } }).catch(() => {})
      },
      outOfView: new KeptPictures(),
      originals: new Originals(),
      onRefused,
      waiting: this.#waiting,
      text: () => text.current,
      settle,
    }
  }

  /** Whether some wait in this window, refused ones too. */
  get areSome(): boolean {
    return this.#waiting.areSome
  }

  /** Whether some wait in this window to be sent. */
  get areDue(): boolean {
    return this.#waiting.areDue
  }

  /** Whether some would go with the page. */
  get wouldLose(): boolean {
    return this.#waiting.wouldLose
  }

  /** The server answers: what waits is sent. */
  isThere(): void {
    this.#waiting.isThere()
  }

  /** Whether files wait that were added here and aren’t on the server. */
  areLeft(): Promise<boolean> {
    return this.#waiting.areLeft()
  }

  /**
   * Without an editor: sends the files that wait, and writes into the text what shows them. Rejects where there is no
   * connection after all.
   * @param onWritten told of each change of the text
   */
  deliver(onWritten: () => void): Promise<Delivered> {
    return deliverWaiting({
      waiting: this.#waiting,
      text: () => this.#text.current,
      add: (file, bytes) => this.attachments.add(bytes, file.name, () => {}, new AbortController().signal),
      write: async ({ start, end }, stored) => {
        const text = this.#text.current
        const reading = { sliceDoc: (from?: number, to?: number) => text.slice(from, to) }
        const insert = apart(reading, { at: start, to: end }, markdownOf(stored))
        this.#text.replace(ChangeSet.of({ from: start, to: end, insert }, text.length))
        onWritten()
        await this.#settle()
      },
    })
  }

  /** Resolves once what waits is kept. */
  close(): Promise<void> {
    return this.#waiting.close()
  }
}
