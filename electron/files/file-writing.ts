import { constants } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a file at once: whoever looks finds the one before or the whole new one. It stays the file that a link leads
 * to, with the rights it had.
 */
export async function writeFileWhole(file: string, content: string | Uint8Array): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const before = await stat(target).catch(() => undefined)
  if (before?.isDirectory()) throw Object.assign(new Error('It is a folder.'), { code: 'EISDIR' })
  const draft = path.join(path.dirname(target), `.galley-${process.pid}-${++count}.part`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const handle = await open(draft, flags, before ? before.mode & 0o777 : 0o666)
  try {
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

let count = 0

/** Why a file couldn't be written, for a person. */
export function explainWriting(error: unknown): string {
  switch ((error as { code?: unknown }).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'There is no room left where it should go.'
    case 'EACCES':
    case 'EPERM':
      return 'Writing there isn’t allowed. Choose another folder.'
    case 'EROFS':
      return 'What is there can only be read. Choose another folder.'
    case 'ENOENT':
    case 'ENOTDIR':
      return 'That folder isn’t there any more. Choose another one.'
    case 'EISDIR':
      return 'A folder has that name. Choose another one.'
    case 'EBUSY':
      return 'Another program uses that file. Close it there, or choose another name.'
    default:
      return `It could not be written: ${error instanceof Error ? error.message : String(error)}`
  }
}
