import { limits } from '../contract/limits.ts'
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
    const { requireData } = await import('./store.ts')
    const { openDatabase } = await import('../store/database.ts')
    const { checkDatabase } = await import('../store/check.ts')
    const { checkFiles } = await import('../store/check-files.ts')
    const files = requireData(dataFolder)
    const progress = await startProgress(terminal, 'Checking')
    const db = openDatabase({ file: files.database, readonly: true })
    try {
      const { findings, counts } = checkDatabase(db, progress.at)
      const stored = await checkFiles(db, files.files, progress.at)
      findings.push(...stored.findings)
      progress.end()
      const asked = values['json'] === true
      if (asked)
        terminal.out(
          asJson({ ok: findings.length === 0, findings, counts: { ...counts, files: stored.files } }),
        )
      else for (const finding of findings) terminal.out(finding)
      if (findings.length > 0) {
        throw new CommandError(
          `What Galley keeps in ${files.folder} is damaged: ${counted(findings.length, 'finding')} (see above). Restore a backup with “galley restore FILE”.`,
        )
      }
      if (asked) return 0
      const parts = [
        counted(counts.users, 'user'),
        counted(counts.documents, 'document'),
        counted(counts.versions, 'version'),
        counted(counts.changes, 'logged change'),
        counted(counts.comments, 'comment'),
        counted(counts.suggestions, 'suggestion'),
        counted(counts.share_links, 'share link'),
        counted(stored.files, 'file'),
      ]
      terminal.out(`ok: ${parts.join(', ')}`)
      if (stored.unused.count > 0)
        terminal.out(
          `${counted(stored.unused.count, 'file')} (${(stored.unused.bytes / 1024 / 1024).toFixed(1)} MiB) no document uses any more; what stays so for ${limits.unusedFileDays} days is removed. “galley files --free” removes it now.`,
        )
      return 0
    } finally {
      progress.end()
      db.close()
    }
  },
}
