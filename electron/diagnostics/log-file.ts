import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'

/** Lines that are kept for whoever looks for what went wrong. */
export interface LogFile {
  write(line: string): void
}

const usualSize = 1024 * 1024

/**
 * A log in a file that only its own account may read. When it is full it becomes `….old.log` and begins anew, so that
 * it never takes more than twice `size`. What can't be written is dropped: a log is no reason to stop.
 */
export function openLogFile(file: string, size = usualSize): LogFile {
  let handle: number | undefined
  let written = 0

  function open() {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    handle = openSync(file, 'a', 0o600)
    if (process.platform !== 'win32') fchmodSync(handle, 0o600)
    written = fstatSync(handle).size
  }

  function beginAnew() {
    if (handle !== undefined) closeSync(handle)
    handle = undefined
    renameSync(file, file.replace(/\.log$/, '.old.log'))
  }

  return {
    write(line) {
      const bytes = Buffer.from(line)
      try {
        if (handle === undefined) open()
        if (written > 0 && written + bytes.length > size) {
          beginAnew()
          open()
        }
        written += writeSync(handle!, bytes)
      } catch {
        return
      }
    },
  }
}
