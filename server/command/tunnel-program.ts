import { CommandError, UsageError, type CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'

export const tunnelProgram: CommandDefinition = {
  name: 'tunnel program',
  usage: '[PATH | --none] [--json]',
  summary: 'Say which cloudflared of your own is started for Cloudflare’s tunnels, or choose one.',
  takes: { least: 0, most: 1, what: 'the path of the program' },
  options: { none: { type: 'boolean' }, ...jsonOption },
  help: [['--none', 'leave it to Galley: the one it has downloaded, or one on the PATH'], jsonHelp],
  knowsNoKey: true,
  async run({ values, positionals, dataFolder, terminal }) {
    const [{ openDataFolder }, { chosenProgram }] = await Promise.all([
      import('../data-folder.ts'),
      import('../chosen-program.ts'),
    ])
    const [path] = positionals
    if (path !== undefined && values['none'] === true)
      throw new UsageError('Name a program or say --none, not both.')
    const program = chosenProgram(openDataFolder(dataFolder).chosenCloudflared)
    if (path !== undefined || values['none'] === true) {
      try {
        program.choose(path ?? '')
      } catch (error) {
        throw new CommandError((error as Error).message)
      }
    }
    const chosen = program.find()
    if (values['json'] === true) terminal.out(asJson({ program: chosen || null }))
    else terminal.out(chosen || 'None: Galley takes the one it has downloaded, or one on the PATH.')
    return 0
  },
}
