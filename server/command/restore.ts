import path from 'node:path'
import { CommandError, counted, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'
import type { Restoration } from '../restore.ts'

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
    const stopping = stopBySignal()
    try {
      const restoration = await restoreFrom(dataFolder, file, {
        onRead(flaws) {
          for (const flaw of flaws) terminal.error(`galley: in the backup, ${flaw}`)
        },
        onProgress: progress.at,
        signal: stopping.signal,
      })
      progress.end()
      const { documents, kept, revivedLinks, revivedKeys, missingFiles } = restoration
      const isJson = values['json'] === true
      if (isJson) {
        const revived = { revived_links: revivedLinks, revived_keys: revivedKeys }
        terminal.out(asJson({ file, documents, kept, ...revived, missing_files: missingFiles }))
      } else terminal.out(`Restored ${counted(documents, 'document')} from ${file}.`)
      if (missingFiles > 0)
        terminal.error(
          `galley: ${counted(missingFiles, 'file')} of these documents ${missingFiles === 1 ? 'is' : 'are'} neither in ${filesBeside(file)} nor here. Put that folder beside the backup and restore again, or look for them with “galley check”.`,
        )
      for (const left of leftOf(restoration)) terminal.error(`galley: ${left}`)
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
      stopping.end()
      progress.end()
    }
    return 0
  },
}

/** What could not be done any more once all was restored. */
function leftOf({ notIndexed, notLookedForFiles }: Restoration): string[] {
  const left: string[] = []
  if (notIndexed !== null)
    left.push(
      `Everything is restored, but not all of it is in the search index yet: ${notIndexed} “galley serve” and the app do the rest by themselves.`,
    )
  if (notLookedForFiles !== null)
    left.push(
      `Everything is restored, but whether all files of its documents are still here could not be seen: ${notLookedForFiles} Then look with “galley check”.`,
    )
  return left
}

/** The first signal ends it cleanly, so that no copy is left; another one ends the process at once. */
function stopBySignal() {
  const stopping = new AbortController()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const end = () => {
    for (const one of signals) process.off(one, stop)
  }
  const stop = () => {
    end()
    stopping.abort(new CommandError('The restore was stopped. Nothing was changed.'))
  }
  for (const one of signals) process.on(one, stop)
  return { signal: stopping.signal, end }
}
