import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomicSync } from './platform/atomic-file.ts'

/**
 * Which cloudflared of their own the owner chose, in a file of the data folder. Only whoever sits at this machine writes
 * it: a command, or the desktop's dialog. No request over HTTP can say which program is started.
 */
export interface ChosenProgram {
  /** Its path; empty where Galley is to look by itself. Undefined if nobody has chosen yet. */
  find(): string | undefined
  /** @throws Error if the path isn't a whole one, in words for a person */
  choose(typed: string): void
}

export function chosenProgram(file: string): ChosenProgram {
  return {
    find() {
      try {
        return readFileSync(file, 'utf8').trim()
      } catch {
        return undefined
      }
    },
    choose(typed) {
      const program = typed.trim().replace(/^"(.*)"$/, '$1')
      if (program !== '' && !path.isAbsolute(program))
        throw new Error(
          `“${program}” isn’t a whole path. It looks like ${
            process.platform === 'win32' ? 'C:\\Tools\\cloudflared.exe' : '/usr/local/bin/cloudflared'
          }.`,
        )
      writeFileAtomicSync(file, `${program}\n`)
    },
  }
}
