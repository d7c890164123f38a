import { realpath, stat } from 'node:fs/promises'
import { writeFileAtomic } from '../../server/platform/atomic-file.ts'

/** Writes a file whole. It stays the file that a link leads to, with the rights it had. */
export async function writeFileWhole(file: string, content: string | Uint8Array): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const before = await stat(target).catch(() => undefined)
  if (before?.isDirectory()) throw Object.assign(new Error('It is a folder.'), { code: 'EISDIR' })
  await writeFileAtomic(target, content, { mode: before ? before.mode & 0o777 : 0o666 })
}

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
