import type { CommandDefinition } from './command.ts'
import { asJson, jsonHelp, jsonOption } from './json.ts'
import { getRunningServer } from './running.ts'

export const tunnelStatus: CommandDefinition = {
  name: 'tunnel status',
  usage: '[--json]',
  summary: 'Tell whether people elsewhere can open share links now, and if not, why.',
  options: jsonOption,
  help: [jsonHelp],
  onlyHere: true,
  async run({ values, dataFolder, terminal }) {
    const { tunnel } = await getRunningServer(dataFolder)
    if (values['json'] === true) terminal.out(asJson(tunnel ?? { state: 'off' }))
    else if (!tunnel || tunnel.state === 'off') terminal.out('off')
    else if (tunnel.state === 'online')
      terminal.out(`online by ${tunnel.provider}: share links start with ${tunnel.share_url}/share/`)
    else {
      const why = [tunnel.reason && `(${tunnel.reason})`, tunnel.message].filter(Boolean).join(' ')
      terminal.out(
        why ? `${tunnel.state}, by ${tunnel.provider}: ${why}` : `${tunnel.state}, by ${tunnel.provider}`,
      )
    }
    return !tunnel || tunnel.state === 'online' || tunnel.state === 'off' ? 0 : 1
  },
}
