import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { draftBeside, putInPlace, syncFolder } from '../platform/atomic-file.ts'

/**
 * Makes a file’s text another, all at once, if it is still what it was read as; null for a file that isn’t there.
 * @returns false if it isn’t, and nothing was changed
 */
export function replaceText(named: string, before: string | null, content: string): boolean {
  makeFolder(path.dirname(named))
  const file = before === null ? named : realpathSync.native(named)
  const draft = draftBeside(file)
  try {
    writeFileSync(draft, content, { flag: 'wx', flush: true })
    if (before !== null) chmodSync(draft, statSync(file).mode)
    const now = existsSync(file) ? readFileSync(file, 'utf8') : null
    if (now !== before || !putInPlace(draft, file, before !== null)) return false
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(path.dirname(file))
  return true
}
