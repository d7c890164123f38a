import { dataFolder, type ServerFacts } from '../data-folder.ts'
import { CommandError } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * What the server that runs on a data folder says of itself. Whether one runs, the folder's lock tells: what is written
 * may be of a process that is dead, and its number another's by now.
 * @throws CommandError if none does, or it couldn't say
 */
export async function getRunningServer(
  folder: string,
  exitCode: number = exitCodes.failed.code,
): Promise<ServerFacts> {
  const files = dataFolder(folder)
  const { isLocked } = await import('../store/folder-lock.ts')
  if (!isLocked(files.lock)) throw new CommandError(`No Galley is running on ${folder}.`, exitCode)
  const server = files.readServer()
  if (!server) {
    throw new CommandError(
      `${folder} is in use, but it isn’t written there where Galley is reached. If its disk is full, free some room: Galley then goes on by itself.`,
    )
  }
  return server
}
