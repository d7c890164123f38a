import path from 'node:path'
import { counted, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'

export const restore: CommandDefinition = {
  name: 'restore',
  usage: 'FILE [--json]',
  summary: 'Put everything back as it was in a backup; what is there now is backed up first.',
  takes: { least: 1, most: 1, what: 'the backup' },
  options: jsonOption,
  help: [['FILE', 'what “galley backup” wrote, or a copy in the data folder’s “backups”'], jsonHelp],
  knowsNoKey: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const file = path.resolve(positionals[0]!)
    const { restoreFrom } = await import('../restore.ts')
    const { filesBeside } = await import('../backup.ts')
    const progress = await startProgress(terminal, 'Backing up what is there now')
    try {
      const { documents, kept, revivedLinks, revivedKeys, missingFiles } = await restoreFrom(
        dataFolder,
        file,
        {
          onRead(flaws) {
            for (const flaw of flaws) terminal.error(`galley: in the backup, ${flaw}`)
          },
          onProgress: progress.at,
        },
      )
      progress.end()
      const isJson = values['json'] === true
      if (isJson) {
        const revived = { revived_links: revivedLinks, revived_keys: revivedKeys }
        terminal.out(asJson({ file, documents, kept, ...revived, missing_files: missingFiles }))
      } else terminal.out(`Restored ${counted(documents, 'document')} from ${file}.`)
      if (missingFiles > 0)
        terminal.error(
          `galley: ${counted(missingFiles, 'file')} of these documents ${missingFiles === 1 ? 'is' : 'are'} neither in ${filesBeside(file)} nor here. Put that folder beside the backup and restore again, or look for them with “galley check”.`,
        )
      if (kept === null || isJson) return 0
      terminal.out(`What was there before is in ${kept}.`)
      const revived = [
        revivedLinks > 0 && counted(revivedLinks, 'share link'),
        revivedKeys > 0 && counted(revivedKeys, 'API key'),
      ].filter((part) => part !== false)
      if (revived.length > 0) {
        terminal.out(
          `${revived.join(' and ')} that didn’t work before the restore, or allowed less, may be used as in the backup; revoke what shouldn’t.`,
        )
      }
    } finally {
      progress.end()
    }
    return 0
  },
}
