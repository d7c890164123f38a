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
    const { state, public_address: address, message } = server.tunnel ?? { state: 'off' as const }
    if (state === 'online') terminal.out(`online: share links start with ${address}/share/`)
    else terminal.out(message ? `${state}: ${message}` : state)
    return state === 'online' || state === 'off' ? 0 : 1
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
