import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file that only its own account may read: under another name and renamed, so that nobody reads half of it. */
export function writeWhole(file: string, text: string) {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
