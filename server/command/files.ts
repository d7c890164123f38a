import { limits } from '../contract/limits.ts'
import { counted, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'

export const files: CommandDefinition = {
  name: 'files',
  usage: '[--free] [--json]',
  summary: 'See how much room pictures and files take; --free removes what no document uses.',
  options: { ...jsonOption, free: { type: 'boolean' } },
  help: [
    [
      '--free',
      `remove now what no document uses, instead of after ${limits.unusedFileDays} days; what a document in the trash has, or a backup in the data folder needs, stays`,
    ],
    jsonHelp,
  ],
  knowsNoKey: true,
  async run({ values, dataFolder, terminal }) {
    const { withPresentStore } = await import('./store.ts')
    const { CommandChannel } = await import('./channel.ts')
    const { freeUnusedFiles, readFilesRoom } = await import('../actions/all-files.ts')
    const { room, freed } = await withPresentStore(dataFolder, async (store, folder) => {
      const channel = new CommandChannel(store, folder, 'cli:files')
      const owner = store.users.owner()
      const freed =
        values['free'] === true ? await channel.perform(owner, freeUnusedFiles, {}, undefined) : null
      return { freed, room: await channel.perform(owner, readFilesRoom, {}, undefined) }
    })
    if (values['json'] === true) {
      terminal.out(asJson(freed ? { ...room, freed } : room))
      return 0
    }
    if (freed) terminal.out(`${counted(freed.count, 'file')} removed, ${mebibytes(freed.bytes)} freed.`)
    if (freed && freed.kept_count > 0)
      terminal.out(
        `${counted(freed.kept_count, 'file')} (${mebibytes(freed.kept_bytes)}) that no document uses stay: backups in the data folder need them.`,
      )
    terminal.out(`The files of all documents take ${mebibytes(room.bytes)}.`)
    if (!freed && room.unused_count > 0)
      terminal.out(
        `${counted(room.unused_count, 'file')} (${mebibytes(room.unused_bytes)}) no document uses any more; --free removes them now.`,
      )
    return 0
  },
}

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
