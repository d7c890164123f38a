import path from 'node:path'
import type { CommandDefinition } from './command.ts'
import { startProgress } from './progress.ts'

export const backup: CommandDefinition = {
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
    const { backUpTo } = await import('../backup.ts')
    const progress = await startProgress(terminal, 'Backing up')
    try {
      const bytes = await backUpTo(dataFolder, file, {
        replace: values['force'] === true,
        onProgress: progress.at,
      })
      progress.end()
      terminal.out(`Backed up to ${file} (${(bytes / 1024 / 1024).toFixed(1)} MiB).`)
    } finally {
      progress.end()
    }
    return 0
  },
}
