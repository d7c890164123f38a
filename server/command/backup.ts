import { existsSync, fsyncSync, openSync, closeSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { CommandError, type Command } from './command.ts'
import { putInPlace } from './new-file.ts'
import { startProgress } from './progress.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE [--force]',
  summary: 'Copy everything into one file, which “galley restore” brings back.',
  takes: { least: 1, most: 1, what: 'the file to write' },
  options: { force: { type: 'boolean' } },
  help: [
    ['FILE', 'holds all documents, versions, comments, links and keys; only you may read it'],
    ['--force', 'replace FILE if it is there'],
  ],
  async run({ values, positionals, dataFolder, terminal }) {
    const file = path.resolve(positionals[0]!)
    const replace = values['force'] === true
    const { withPresentStore } = await import('./store.ts')
    const { backUp } = await import('../store/backup.ts')
    return withPresentStore(dataFolder, async (store, files) => {
      refuseTarget(file, replace, files.folder)
      const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.part`)
      const progress = await startProgress(terminal, 'Backing up')
      try {
        await backUp(store.db, draft, progress.at)
        progress.end()
        if (!putInPlace(draft, file, replace)) throw exists(file)
      } catch (error) {
        progress.end()
        rmSync(draft, { force: true })
        throw error instanceof CommandError ? error : explain(error, file)
      }
      syncFolder(path.dirname(file))
      terminal.out(`Backed up to ${file} (${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB).`)
      return 0
    })
  },
}

const exists = (file: string) =>
  new CommandError(`${file} is there already. Choose another name, or use --force.`)

function refuseTarget(file: string, replace: boolean, folder: string) {
  if (!existsSync(path.dirname(file))) throw new CommandError(`There is no folder ${path.dirname(file)}.`)
  if (!existsSync(file)) return
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a folder; name a file.`)
  if (!replace) throw exists(file)
  if (path.dirname(file) === path.resolve(folder)) {
    throw new CommandError(`${file} is one of Galley’s own files. Choose another name.`)
  }
}

function explain(error: unknown, file: string): unknown {
  const code = String((error as { code?: unknown }).code)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new CommandError(`There is no room for a backup on the disk that holds ${file}.`)
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code.startsWith('SQLITE_CANTOPEN')) {
    return new CommandError(`${file} can’t be written. Check the permissions of its folder.`)
  }
  return error
}

/** So that the file's name, too, outlasts a power failure; not every system lets a folder be synced. */
function syncFolder(folder: string) {
  try {
    const handle = openSync(folder, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    return
  }
}
