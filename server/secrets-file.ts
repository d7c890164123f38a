import { chmodSync, readFileSync, statSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { SecretName } from './contract/secrets.ts'
import { SecretFailure, SecretValue, type Secrets } from './contract/secrets.ts'
import { writeFileAtomicSync } from './platform/atomic-file.ts'

const Kept = Type.Record(Type.String(), Type.Unknown())

/** The environment variable that holds a secret, for whoever runs Galley as a service. */
export const variableOf = (name: SecretName) => `GALLEY_${name.toUpperCase().replaceAll('-', '_')}`

/**
 * Secrets where there is no desktop and so no keychain: in a file of the data folder that only its own account may
 * read, or, before that, in environment variables. What can't be read is left as it is.
 */
export function openSecretsFile(file: string, env: NodeJS.ProcessEnv = process.env): Secrets {
  const given = (name: SecretName) => env[variableOf(name)] || undefined

  function refuseIfGiven(name: SecretName) {
    if (given(name) === undefined) return
    throw new SecretFailure(
      'set elsewhere',
      `It is set by the environment variable ${variableOf(name)}. Change it there, or start Galley without it.`,
    )
  }

  // Steps don't wait in between, so that two changes at once both count.
  const inOneStep = <Result>(step: () => Result) => new Promise<Result>((resolve) => resolve(step()))

  return {
    find: (name) => inOneStep(() => given(name) ?? secretIn(read(file), name, file)),
    set: (name, value) =>
      inOneStep(() => {
        refuseIfGiven(name)
        write(file, { ...read(file), [name]: value })
      }),
    remove: (name) =>
      inOneStep(() => {
        refuseIfGiven(name)
        const { [name]: gone, ...rest } = read(file)
        if (gone !== undefined) write(file, rest)
      }),
  }
}

function secretIn(kept: Static<typeof Kept>, name: SecretName, file: string): string | undefined {
  const value = kept[name]
  if (value === undefined || Check(SecretValue, value)) return value
  throw unreadable(file)
}

const unreadable = (file: string, cause?: unknown) =>
  new SecretFailure(
    'unreadable',
    `${file} can’t be read. Mend it, or move it away and enter what was in it again.`,
    { cause },
  )

function read(file: string): Static<typeof Kept> {
  try {
    keepFromOthers(file)
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (Check(Kept, found)) return found
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return {}
    throw unreadable(file, error)
  }
  throw unreadable(file)
}

/** Windows gives a new file the rights of its folder, which is the account's own. */
function keepFromOthers(file: string) {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
}

function write(file: string, kept: Static<typeof Kept>) {
  try {
    writeFileAtomicSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  } catch (error) {
    throw new SecretFailure('not written', `${file} can’t be written. Nothing was changed.`, { cause: error })
  }
}
