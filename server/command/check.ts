import { CommandError, counted, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'

export const check: CommandDefinition = {
  name: 'check',
  usage: '[--json]',
  summary: 'Look for damage in the database; changes nothing.',
  options: jsonOption,
  help: [jsonHelp],
  async run({ values, dataFolder, terminal }) {
    const { requireData } = await import('./store.ts')
    const { openDatabase } = await import('../store/database.ts')
    const { checkDatabase } = await import('../store/check.ts')
    const files = requireData(dataFolder)
    const progress = await startProgress(terminal, 'Checking')
    const db = openDatabase({ file: files.database, readonly: true })
    try {
      const { findings, counts } = checkDatabase(db, progress.at)
      progress.end()
      const asked = values['json'] === true
      if (asked) terminal.out(asJson({ ok: findings.length === 0, findings, counts }))
      else for (const finding of findings) terminal.out(finding)
      if (findings.length > 0) {
        throw new CommandError(
          `${files.database} is damaged: ${counted(findings.length, 'finding')} (see above). Restore a backup with “galley restore FILE”.`,
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
      ]
      terminal.out(`ok: ${parts.join(', ')}`)
      return 0
    } finally {
      progress.end()
      db.close()
    }
  },
}
