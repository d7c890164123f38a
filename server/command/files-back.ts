import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { listFiles } from '../actions/files.ts'
import type { Document } from '../contract/records/documents.ts'
import { broughtFilesIn, redirectFiles } from '../domain/file-references.ts'
import { freeFileName } from '../domain/stored-file-name.ts'
import { makeFolder } from '../make-folder.ts'
import { syncFiles, syncFolder } from '../platform/atomic-file.ts'
import type { UserRow } from '../store/users.ts'
import type { CommandChannel } from './channel.ts'
import type { TakenText } from './files-beside.ts'

interface Placing {
  user: UserRow
  document: Document
  /** The text that the file has now, with what it leads to. */
  taken: TakenText | undefined
  /** Whether that was changed there. */
  isMine: boolean
}

interface LedToFiles {
  /** Makes a document’s text one that leads to its files from where the text’s file is. */
  lead: (content: string) => string
  notes: string[]
}

/** Puts what documents lead to beside their texts’ files, where it isn't there yet. No file is replaced. */
export class FilesBack {
  readonly #folder: string
  readonly #channel: CommandChannel
  readonly #blobs: string

  constructor(folder: string, channel: CommandChannel, blobs: string) {
    this.#folder = folder
    this.#channel = channel
    this.#blobs = blobs
  }

  /** Whether a path may be written to: what is known of files came with them, and may be from anybody. */
  isWithin(at: string): boolean {
    const inside = path.relative(this.#folder, at).split(path.sep)
    if (inside.some((part) => part.startsWith('.'))) return false
    const leadsNowhere = !existsSync(at) && lstatSync(at, { throwIfNoEntry: false }) !== undefined
    if (leadsNowhere) return false
    let there = at
    while (!existsSync(there)) there = path.dirname(there)
    const root = realpathSync.native(this.#folder)
    const real = realpathSync.native(there)
    return real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
  }

  async place(
    file: string,
    { user, document, taken, isMine }: Placing,
  ): Promise<LedToFiles | { why: string }> {
    const attached = await this.#channel.perform(user, listFiles, { id: document.id }, undefined)
    const known = new Map(attached.map(({ name, sha256 }) => [name, sha256]))
    const targets = new Map<string, string>()
    const notes: string[] = []
    for (const { name, received, target } of taken?.files ?? []) {
      const sha256 = known.get(name)
      if (sha256 === undefined || sha256 === received.sha256) targets.set(name, target)
      else if (isMine)
        return { why: `it leads to another file ${name} than its document; both are as they were.` }
    }
    const beside = path.join(path.dirname(file), 'files')
    for (const name of broughtFilesIn(document.content)) {
      const sha256 = known.get(name)
      if (sha256 === undefined || targets.has(name)) continue
      const free = this.isWithin(beside) ? await this.#copy(sha256, name, beside) : undefined
      if (free === undefined) notes.push(`its file ${name} couldn’t be put beside it.`)
      else if (free !== name) targets.set(name, `files/${encodeURIComponent(free)}`)
    }
    return { lead: (content) => redirectFiles(content, targets), notes }
  }

  /** @returns the name it has there; undefined where the bytes are missing */
  async #copy(sha256: string, name: string, folder: string): Promise<string | undefined> {
    const isOther = (at: string) => createHash('sha256').update(readFileSync(at)).digest('hex') !== sha256
    const free = freeFileName(name, (one) => {
      const at = path.join(folder, one)
      return existsSync(at) && isOther(at)
    })
    const at = path.join(folder, free)
    if (existsSync(at)) return free
    const source = path.join(this.#blobs, sha256)
    if (!existsSync(source)) return undefined
    makeFolder(folder)
    copyFileSync(source, at, constants.COPYFILE_EXCL)
    await syncFiles([at])
    syncFolder(folder)
    return free
  }
}
