import { readdirSync } from 'node:fs'
import { makeFolder } from '../make-folder.ts'
import { CommandError } from './command.ts'
import { memoryName } from './import-memory.ts'

/**
 * Makes the folder if it isn't there.
 * @returns whether there is nothing in it that somebody could miss
 */
export function openExportFolder(folder: string): { isEmpty: boolean } {
  try {
    makeFolder(folder)
    return { isEmpty: readdirSync(folder).every((name) => name === memoryName) }
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new CommandError(`${folder} is not a folder.`)
    throw new CommandError(`${folder} can’t be written to: ${(error as Error).message}.`)
  }
}
