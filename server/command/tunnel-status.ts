import { dataFolder as filesOf } from '../data-folder.ts'
import { CommandError, type Command } from './command.ts'

export const tunnelStatus: Command = {
  name: 'tunnel status',
  usage: '',
  summary: 'Tell whether people elsewhere can open share links now, and if not, why.',
  options: {},
  help: [],
  run({ dataFolder, terminal }) {
    const server = filesOf(dataFolder).readServer()
    if (!server || !runs(server.pid)) throw new CommandError(`No Galley is running on ${dataFolder}.`)
    const { tunnel } = server
    if (!tunnel || tunnel.state === 'off') terminal.out('off')
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

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
