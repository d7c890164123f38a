import { limits } from '../contract/limits.ts'
import type { DataFolder } from '../data-folder.ts'
import { CommandError, counted, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'

export const check: CommandDefinition = {
  name: 'check',
  usage: '[--json]',
  summary: 'Look for damage in the database; changes nothing.',
  options: jsonOption,
  help: [jsonHelp],
  knowsNoKey: true,
  givesWay: true,
  async run({ values, dataFolder, terminal }) {
    const { withReadableData } = await import('./readable-data.ts')
    const progress = await startProgress(terminal, 'Checking')
    try {
      const { findings, counts, stored } = await withReadableData(dataFolder, (files) =>
        checkAll(files, progress.at),
      )
      progress.end()
      const asked = values['json'] === true
      if (asked)
        terminal.out(
          asJson({ ok: findings.length === 0, findings, counts: { ...counts, files: stored.files } }),
        )
      else for (const finding of findings) terminal.out(finding)
      if (findings.length > 0) {
        throw new CommandError(
          `What Galley keeps in ${dataFolder} is damaged: ${counted(findings.length, 'finding')} (see above). Restore a backup with “galley restore FILE”.`,
        )
      }
      if (asked) return 0
      const count = (of: keyof typeof counts, one: string) => counted(counts[of] ?? 0, one)
      const parts = [
        count('users', 'user'),
        count('documents', 'document'),
        count('versions', 'version'),
        count('changes', 'logged change'),
        count('comments', 'comment'),
        count('suggestions', 'suggestion'),
        count('share_links', 'share link'),
        counted(stored.files ?? 0, 'file'),
      ]
      terminal.out(`ok: ${parts.join(', ')}`)
      if (stored.unused.count > 0)
        terminal.out(
          `${counted(stored.unused.count, 'file')} (${(stored.unused.bytes / 1024 / 1024).toFixed(1)} MiB) no document uses any more; what stays so for ${limits.unusedFileDays} days is removed. “galley files --free” removes it now.`,
        )
      return 0
    } finally {
      progress.end()
    }
  },
}

/** The database and the files; where the database can't even be opened, that is what is found. */
async function checkAll(files: DataFolder, onProgress: (done: number, of: number) => void) {
  const { openDatabase } = await import('../store/database.ts')
  const { isCorrupt } = await import('../store/database-trouble.ts')
  const { OpenError } = await import('../store/open-error.ts')
  const { checkDatabase, countedNothing } = await import('../store/check.ts')
  const { checkFiles } = await import('../store/check-files.ts')
  try {
    const db = openDatabase({ file: files.database, readonly: true })
    try {
      const { findings, counts } = checkDatabase(db, onProgress)
      const stored = await checkFiles(db, files.files, onProgress)
      return { findings: [...findings, ...stored.findings], counts, stored }
    } finally {
      db.close()
    }
  } catch (error) {
    // What isn't a database at all has words of its own.
    if (!(error instanceof OpenError) || !isCorrupt(error.cause)) throw error
    const why = error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return {
      findings: [`nothing of the database can be read${why}`],
      counts: countedNothing(),
      stored: { files: null, unused: { count: 0, bytes: 0 } },
    }
  }
}
