import { mkdirSync, rmdirSync } from 'node:fs'

/** Lets this process not write `file`: something stands where it is written first. Returns what ends that. */
export function blockWrites(file: string): () => void {
  const draft = `${file}.${process.pid}.part`
  mkdirSync(draft)
  return () => rmdirSync(draft)
}
