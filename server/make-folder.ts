import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and whatever is missing above it; fine if it is there. Node's own `recursive` turns for ever, and
 * heeds no signal, where the system says that a folder isn't there as often as it is made (below `/proc`).
 * @throws what the file system says
 */
export function makeFolder(folder: string, options: { mode?: number } = {}) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const above = path.dirname(folder)
  if (above !== folder) makeFolder(above, options)
  try {
    mkdirSync(folder, options)
  } catch (error) {
    // Somebody else may have been quicker; a file of that name is another matter.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
