import { dataFolder, type ServerFacts } from '../data-folder.ts'
import { CommandError } from './command.ts'

/**
 * What the server that runs on a data folder says of itself.
 * @throws CommandError if none does
 */
export function getRunningServer(folder: string): ServerFacts {
  const server = dataFolder(folder).readServer()
  if (!server || !runs(server.pid)) throw new CommandError(`No Galley is running on ${folder}.`)
  return server
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
