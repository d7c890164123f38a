import { constants, copyFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { GalleyError } from '../contract/errors.ts'
import { fileNameOf } from '../domain/file-name.ts'
import { shownName } from '../domain/shown-name.ts'
import { makeFolder } from '../make-folder.ts'
import { draftBeside, putInPlace, syncFiles, syncFolder } from '../platform/atomic-file.ts'
import { CommandError, counted, UsageError, type CommandDefinition } from './command.ts'
import { hashOf, type KnownFile } from './import-memory.ts'
import { startProgress } from './progress.ts'

export const exportDocuments: CommandDefinition = {
  name: 'export',
  usage: 'DIR [--track | --feedback] [--user U] [--force]',
  summary: 'Write every document into a folder, as a markdown file named by its title.',
  takes: { least: 1, most: 1, what: 'the folder to write to' },
  options: {
    track: { type: 'boolean' },
    feedback: { type: 'boolean' },
    user: { type: 'string' },
    force: { type: 'boolean' },
  },
  help: [
    ['DIR', 'a new or an empty folder; a document with pictures or files gets a folder in it'],
    ['--track', 'remember in .galley.json which document each file is, for “galley import DIR --track”'],
    ['--feedback', 'with their pending suggestions and open comments, as CriticMarkup'],
    ['--user U', 'only the documents of this user, by name or id'],
    ['--force', 'DIR may hold something already; files of the same names are replaced'],
  ],
  async run({ values, positionals, dataFolder, terminal }) {
    const { getUser, withPresentStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { listDocumentIds, readDocument } = await import('../actions/documents.ts')
    const { listFiles } = await import('../actions/files.ts')
    const { readAsCriticMarkup } = await import('../actions/export-with-feedback.ts')
    const { ImportMemory } = await import('./import-memory.ts')
    const withFeedback = values['feedback'] === true
    const isTracked = values['track'] === true
    if (withFeedback && isTracked)
      throw new UsageError(
        'A text with feedback in it isn’t the document’s, so --feedback goes with no --track.',
      )
    const folder = path.resolve(positionals[0]!)
    const replace = values['force'] === true
    return withPresentStore(dataFolder, async (store, data) => {
      const users = values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])]
      openFolder(folder, replace)
      const channel = new CommandChannel(store, data, 'cli:export')
      const listed = users.map(async (user) => {
        const ids = await channel.perform(user, listDocumentIds, {}, undefined)
        return ids.map((id) => ({ user, id }))
      })
      const all = (await Promise.all(listed)).flat()
      const progress = await startProgress(terminal, 'Exporting')
      const memory = isTracked ? new ImportMemory(folder) : undefined
      const files = new ExportedFiles(folder, data.files, replace, (known, file) => memory?.note(file, known))
      let exported = 0
      try {
        for (const [index, { user, id }] of all.entries()) {
          const document = await channel
            .perform(user, withFeedback ? readAsCriticMarkup : readDocument, { id }, undefined)
            .catch((error: unknown) => {
              // One that was deleted meanwhile is left out.
              if (error instanceof GalleyError && error.code === 'NOT_FOUND') return undefined
              throw error
            })
          if (document) {
            const attached = await channel.perform(user, listFiles, { id }, undefined)
            const missing = await files.write(document, attached)
            for (const name of missing)
              terminal.error(
                `galley: ${shownName(document.title)}: its file ${name} is missing. “galley check” tells more.`,
              )
            exported++
          }
          progress.at(index + 1, all.length)
        }
        await files.finish()
        memory?.save()
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ENOSPC') throw error
        throw new CommandError(`There is no room left on the disk that holds ${folder}.`)
      } finally {
        progress.end()
        files.close()
      }
      terminal.out(`Exported ${counted(exported, 'document')} to ${folder}.`)
      return 0
    })
  },
}

function openFolder(folder: string, replace: boolean) {
  let present: string[]
  try {
    makeFolder(folder)
    present = readdirSync(folder)
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new CommandError(`${folder} is not a folder.`)
    throw new CommandError(`${folder} can’t be written to: ${(error as Error).message}.`)
  }
  if (present.length > 0 && !replace) {
    throw new CommandError(
      `${folder} is not empty. Choose a new folder, or let --force replace files of the same names.`,
    )
  }
}

/** So many are synced together: one by one, each would wait for the disk. */
const syncedTogether = 100

interface ExportedFile {
  draft: string
  name: string
}
/** A document as it is written; one with feedback has a text that no revision has. */
interface WrittenText {
  id?: string
  revision?: number
  title: string
  content: string
  updated_at: string
}
interface ExportedText extends ExportedFile {
  known: KnownFile | undefined
  /** What it has beside it. */
  files: ExportedFile[]
}

/**
 * Files that get their names only once they are whole and on the disk. A document that has files gets a folder, with its
 * text and its `files` in it: so the text leads there as it is.
 */
class ExportedFiles {
  readonly #folder: string
  readonly #blobs: string
  readonly #replace: boolean
  /** Names in lower case: many file systems take those that differ in case only for one. */
  readonly #taken = new Set<string>()
  #drafts: ExportedText[] = []

  readonly #onNamed: (known: KnownFile, file: string) => void

  /**
   * @param blobs the folder that has the bytes of files
   * @param onNamed told which document each file is, where its text is a revision’s
   */
  constructor(
    folder: string,
    blobs: string,
    replace: boolean,
    onNamed: (known: KnownFile, file: string) => void,
  ) {
    this.#onNamed = onNamed
    this.#folder = folder
    this.#blobs = blobs
    this.#replace = replace
  }

  /** @returns the names of those files that are missing */
  async write(of: WrittenText, attached: readonly { name: string; sha256: string }[]): Promise<string[]> {
    const { id, revision, title, content, updated_at } = of
    const known =
      id === undefined || revision === undefined ? undefined : { id, revision, hash: hashOf(content) }
    const name = fileNameOf(title)
    const text: ExportedText = { draft: this.#draft(), name, known, files: [] }
    this.#drafts.push(text)
    writeFileSync(text.draft, content, { flag: 'wx' })
    const changed = new Date(updated_at)
    utimesSync(text.draft, changed, changed)
    const missing: string[] = []
    for (const { name, sha256 } of attached) {
      const draft = this.#draft()
      try {
        copyFileSync(path.join(this.#blobs, sha256), draft, constants.COPYFILE_EXCL)
        text.files.push({ draft, name })
      } catch (error) {
        rmSync(draft, { force: true })
        if ((error as { code?: unknown }).code !== 'ENOENT') throw error
        missing.push(name)
      }
    }
    if (this.#drafts.length >= syncedTogether || attached.length > 0) await this.finish()
    return missing
  }

  readonly #draft = () => draftBeside(path.join(this.#folder, 'file'))

  /** Gives those that are written their names. */
  async finish() {
    await syncFiles(this.#drafts.flatMap(({ draft, files }) => [draft, ...files.map((file) => file.draft)]))
    for (let next = this.#drafts[0]; next; next = this.#drafts[0]) {
      this.#name(next)
      this.#drafts.shift()
    }
  }

  #name({ draft, name, known, files }: ExportedText) {
    for (let number = 1; ; number++) {
      const unique = number === 1 ? name : `${name} (${number})`
      if (this.#taken.has(unique.toLowerCase())) continue
      this.#taken.add(unique.toLowerCase())
      const folder = files.length === 0 ? this.#folder : path.join(this.#folder, unique)
      if (files.length > 0) makeFolder(path.join(folder, 'files'))
      const file = path.join(folder, `${unique}.md`)
      if (!putInPlace(draft, file, this.#replace)) continue
      if (known) this.#onNamed(known, file)
      for (const one of files) putInPlace(one.draft, path.join(folder, 'files', one.name), true)
      if (files.length > 0) for (const synced of [path.join(folder, 'files'), folder]) syncFolder(synced)
      return
    }
  }

  /** Leaves nothing behind that has no name. */
  close() {
    for (const { draft, files } of this.#drafts)
      for (const one of [draft, ...files.map((file) => file.draft)]) rmSync(one, { force: true })
    syncFolder(this.#folder)
  }
}
