import { existsSync, linkSync, renameSync, unlinkSync } from 'node:fs'

/**
 * Gives a finished draft its name, all at once: nobody ever sees half a file.
 * @returns false if something has that name and may not be replaced
 */
export function putInPlace(draft: string, file: string, replace: boolean): boolean {
  if (!replace) {
    try {
      // Unlike renaming, this never replaces anything.
      linkSync(draft, file)
      unlinkSync(draft)
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code === 'EEXIST') return false
      // File systems without hard links, as on many memory sticks.
      if (existsSync(file)) return false
    }
  }
  renameSync(draft, file)
  return true
}
