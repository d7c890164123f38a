import path from 'node:path'
import { counted, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { startProgress } from './progress.ts'

export const backup: CommandDefinition = {
  name: 'backup',
  usage: 'FILE [--force] [--json]',
  summary: 'Copy everything into one file, which “galley restore” brings back.',
  takes: { least: 1, most: 1, what: 'the file to write' },
  options: { force: { type: 'boolean' }, ...jsonOption },
  help: [
    ['FILE', 'holds all documents, versions, comments, links and keys; only you may read it'],
    ['', 'pictures and files go into “galley-files” beside it, each once for all backups there'],
    ['--force', 'replace FILE if it is there'],
    jsonHelp,
  ],
  knowsNoKey: true,
  givesWay: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const file = path.resolve(positionals[0]!)
    const { backUpTo } = await import('../backup.ts')
    const progress = await startProgress(terminal, 'Backing up')
    try {
      const done = await backUpTo(dataFolder, file, {
        replace: values['force'] === true,
        onProgress: progress.at,
      })
      progress.end()
      if (values['json'] === true) {
        const { bytes, files, folder, missing } = done
        terminal.out(asJson({ file, bytes, files, files_folder: folder, missing_files: missing }))
      } else terminal.out(`Backed up to ${file} (${(done.bytes / 1024 / 1024).toFixed(1)} MiB).`)
      if (done.files > 0 && values['json'] !== true)
        terminal.out(
          `${counted(done.files, 'file')} of documents ${done.files === 1 ? 'is' : 'are'} in ${done.folder}. Keep both together.`,
        )
      if (done.missing > 0)
        terminal.error(
          `galley: ${counted(done.missing, 'file')} could not be copied: missing or damaged in Galley itself. “galley check” names them.`,
        )
    } finally {
      progress.end()
    }
    return 0
  },
}
