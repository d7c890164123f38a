import { copyFileSync, readFileSync } from 'node:fs'
import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { writeFileAtomicSync } from '../../server/platform/atomic-file.ts'

export interface RecordFile<Schemas extends Record<string, TSchema>> {
  /** Where a copy of the file is if something in it could not be read at this start. */
  readonly setAside: string | undefined
  /** What was set last; undefined where nothing was, or where it can't be read. */
  find<K extends keyof Schemas & string>(name: K): Static<Schemas[K]> | undefined
  set<K extends keyof Schemas & string>(name: K, value: Static<Schemas[K]>): void
  /** As `set`, for what must not be forgotten; undefined removes it. Throws if that can't be written, and changes nothing. */
  keep<K extends keyof Schemas & string>(name: K, value: Static<Schemas[K]> | undefined): void
}

/**
 * A record in a file of the profile's, which is replaced as a whole: after a crash it is the one before or the one
 * after. Whatever in it isn't as it should be is passed over, and the rest still counts; what it was is kept in a copy.
 */
export function openRecordFile<Schemas extends Record<string, TSchema>>(
  file: string,
  schemas: Schemas,
): RecordFile<Schemas> {
  const names = Object.keys(schemas) as (keyof Schemas & string)[]
  const isOf = <K extends keyof Schemas>(name: K, value: unknown): value is Static<Schemas[K]> =>
    Check(schemas[name] as TSchema, value)
  const found = read(file)
  const values = found ?? {}
  const wrong = names.filter((name) => name in values && !isOf(name, values[name]))
  const setAside = found && wrong.length === 0 ? undefined : copyAside(file)
  for (const name of wrong) delete values[name]
  if (setAside !== undefined) {
    console.error(`Not all of ${file} could be read; what was in it is kept in ${setAside}.`)
    write()
  }

  function write() {
    try {
      writeFileAtomicSync(file, JSON.stringify(values, null, 2))
    } catch (error) {
      // A full disk is no reason to disturb somebody who writes; it is only forgotten by the next start.
      console.error(`Nothing can be remembered: ${String(error)}`)
    }
  }

  return {
    setAside,
    find: (name) => {
      const value = values[name]
      return isOf(name, value) ? value : undefined
    },
    set(name, value) {
      if (JSON.stringify(values[name]) === JSON.stringify(value)) return
      values[name] = value
      write()
    },
    keep(name, value) {
      const next = { ...values, [name]: value }
      // JSON leaves out what is undefined.
      writeFileAtomicSync(file, JSON.stringify(next, null, 2))
      values[name] = value
    },
  }
}

/** What the file holds; nothing if there is none yet, undefined if that isn't what it should be. */
function read(file: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Check(Type.Record(Type.String(), Type.Unknown()), found) ? { ...found } : undefined
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOENT' ? {} : undefined
  }
}

function copyAside(file: string): string | undefined {
  const aside = file.replace(/\.json$/, `.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
  try {
    copyFileSync(file, aside)
    return aside
  } catch {
    return undefined
  }
}
