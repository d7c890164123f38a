import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { GalleyError } from '../contract/errors.ts'
import { fileNameOf } from '../domain/file-name.ts'
import { makeFolder } from '../make-folder.ts'
import { draftBeside, putInPlace, syncFolder } from '../platform/atomic-file.ts'
import { CommandError, counted, type CommandDefinition } from './command.ts'
import { startProgress } from './progress.ts'

export const exportDocuments: CommandDefinition = {
  name: 'export',
  usage: 'DIR [--user U] [--force]',
  summary: 'Write every document into a folder, as a markdown file named by its title.',
  takes: { least: 1, most: 1, what: 'the folder to write to' },
  options: { user: { type: 'string' }, force: { type: 'boolean' } },
  help: [
    ['DIR', 'a new or an empty folder'],
    ['--user U', 'only the documents of this user, by name or id'],
    ['--force', 'DIR may hold something already; files of the same names are replaced'],
  ],
  async run({ values, positionals, dataFolder, terminal }) {
    const { getUser, withPresentStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { listDocumentIds, readDocument } = await import('../actions/documents.ts')
    const folder = path.resolve(positionals[0]!)
    const replace = values['force'] === true
    return withPresentStore(dataFolder, async (store) => {
      const users = values['user'] === undefined ? store.users.list() : [getUser(store, values['user'])]
      openFolder(folder, replace)
      const channel = new CommandChannel(store, 'cli:export')
      const listed = users.map(async (user) => {
        const ids = await channel.perform(user, listDocumentIds, {}, undefined)
        return ids.map((id) => ({ user, id }))
      })
      const all = (await Promise.all(listed)).flat()
      const progress = await startProgress(terminal, 'Exporting')
      const taken = new Set<string>()
      let exported = 0
      try {
        for (const [index, { user, id }] of all.entries()) {
          const document = await channel
            .perform(user, readDocument, { id }, undefined)
            .catch((error: unknown) => {
              // One that was deleted meanwhile is left out.
              if (error instanceof GalleyError && error.code === 'NOT_FOUND') return undefined
              throw error
            })
          if (document) {
            writeDocument(folder, document, taken, replace)
            exported++
          }
          progress.at(index + 1, all.length)
        }
      } finally {
        progress.end()
        syncFolder(folder)
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

function writeDocument(
  folder: string,
  document: { title: string; content: string; updated_at: string },
  taken: Set<string>,
  replace: boolean,
) {
  const name = fileNameOf(document.title)
  const draft = draftBeside(path.join(folder, name))
  try {
    writeFileSync(draft, document.content, { flag: 'wx', flush: true })
    const changed = new Date(document.updated_at)
    utimesSync(draft, changed, changed)
    for (let number = 1; ; number++) {
      const unique = number === 1 ? name : `${name} (${number})`
      // Many file systems take names that differ in case only for one.
      if (taken.has(unique.toLowerCase())) continue
      taken.add(unique.toLowerCase())
      if (putInPlace(draft, path.join(folder, `${unique}.md`), replace)) return
    }
  } catch (error) {
    rmSync(draft, { force: true })
    if ((error as { code?: unknown }).code === 'ENOSPC') {
      throw new CommandError(`There is no room left on the disk that holds ${folder}.`)
    }
    throw error
  }
}
