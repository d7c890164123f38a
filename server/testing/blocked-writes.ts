import { mkdirSync, rmdirSync } from 'node:fs'
import path from 'node:path'

/** Lets this process write no file into the folder: something stands where it is written first. Returns what ends that. */
export function blockWrites(folder: string): () => void {
  const draft = path.join(folder, `.galley-${process.pid}.part`)
  mkdirSync(draft)
  return () => rmdirSync(draft)
}
