import { existsSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import type { DataFolder } from '../data-folder.ts'
import { OpenError } from '../store/open-error.ts'
import type { Restored } from '../store/restore.ts'
import { CommandError, counted, type Command } from './command.ts'
import { startProgress } from './progress.ts'

export const restore: Command = {
  name: 'restore',
  usage: 'FILE',
  summary: 'Put everything back as it was in a backup; what is there now is backed up first.',
  takes: { least: 1, most: 1, what: 'the backup' },
  options: {},
  help: [['FILE', 'what “galley backup” wrote, or a copy in the data folder’s “backups”']],
  async run({ positionals, dataFolder, terminal }) {
    const file = path.resolve(positionals[0]!)
    if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`)
    const { openDataFolder } = await import('../data-folder.ts')
    const { readBackup, removeCopy } = await import('../store/restore.ts')
    const files = openDataFolder(dataFolder)
    if (file === path.resolve(files.database))
      throw new CommandError(`${file} is what Galley works on already.`)
    const copy = path.join(files.backups, `.restoring-${process.pid}.db`)
    try {
      for (const flaw of readBackup(file, copy)) terminal.error(`galley: in the backup, ${flaw}`)
      await replaceBy(copy, file, files, terminal)
    } finally {
      removeCopy(copy)
    }
    return 0
  },
}

type Terminal = Parameters<Command['run']>[0]['terminal']

async function replaceBy(copy: string, file: string, files: DataFolder, terminal: Terminal) {
  const { withStore } = await import('./store.ts')
  const { replaceAll } = await import('../store/restore.ts')
  const hadData = existsSync(files.database)
  let kept = hadData ? await keepPresent(files, terminal) : null
  let restored: Restored
  const replace = () =>
    withStore(files.folder, (store) => {
      const result = replaceAll(store.db, copy)
      while (store.search.index(200));
      return result
    })
  try {
    restored = await replace()
  } catch (error) {
    if (!isDamage(error)) throw error
    kept = await setAside(files)
    restored = await replace()
  }
  terminal.out(`Restored ${counted(restored.documents, 'document')} from ${file}.`)
  if (kept !== null) terminal.out(`What was there before is in ${kept}.`)
  const revived = [
    restored.revivedLinks > 0 && counted(restored.revivedLinks, 'share link'),
    restored.revivedKeys > 0 && counted(restored.revivedKeys, 'API key'),
  ].filter((part) => part !== false)
  if (hadData && revived.length > 0) {
    terminal.out(
      `${revived.join(' and ')} that didn’t work before the restore may be used again; revoke what shouldn’t.`,
    )
  }
}

const isDamage = (error: unknown) =>
  (error instanceof OpenError && error.reason === 'damaged') ||
  /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))

/** Backs up what is there now; if it is too damaged for that, it is set aside as it is. Where it is now. */
async function keepPresent(files: DataFolder, terminal: Terminal): Promise<string> {
  const { withStore } = await import('./store.ts')
  const { backUp } = await import('../store/backup.ts')
  const kept = files.backup('before-restore')
  const progress = await startProgress(terminal, 'Backing up what is there now')
  try {
    await withStore(files.folder, (store) => backUp(store.db, kept, progress.at))
    return kept
  } catch (error) {
    if (!isDamage(error)) throw error
    return await setAside(files)
  } finally {
    progress.end()
  }
}

/** Moves a damaged database away, which only works while nobody uses it. */
async function setAside(files: DataFolder): Promise<string> {
  const { lockFolder } = await import('../store/folder-lock.ts')
  const lock = lockFolder(
    files.lock,
    () => `${files.describeHolder()} Its database is damaged; stop it first, then restore again.`,
  )
  try {
    const folder = files.backup('damaged').replace(/\.db$/, '')
    mkdirSync(folder, { mode: 0o700 })
    for (const ending of ['', '-wal', '-shm']) {
      const part = files.database + ending
      if (existsSync(part)) renameSync(part, path.join(folder, path.basename(part)))
    }
    return folder
  } finally {
    lock.release()
  }
}
