import { Type } from 'typebox'
import { SecretFailure, type Secrets } from '../../server/contract/secrets.ts'
import { explainWriting } from '../files/file-writing.ts'
import { openRecordFile } from '../preferences/record-file.ts'

/** Seals secrets with a key that the system keeps. Each throws a SecretFailure where that can't be done. */
export interface Vault {
  seal(secret: string): Promise<Buffer>
  /** `isStale` says that it should be sealed anew, since the system has another key now. */
  open(sealed: Buffer): Promise<{ secret: string; isStale: boolean }>
}

/** As bytes in base 64. */
const Sealed = Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$', maxLength: 256 * 1024 })
const schemas = { 'ssh-key': Sealed, 'ngrok-token': Sealed, 'cloudflared-token': Sealed }

/**
 * Secrets in a file of the profile's, sealed by `vault`. One that can't be opened stays: the keychain that can may only
 * be locked, or away. The system is asked for nothing as long as nothing is kept.
 */
export function openSecrets(file: string, vault: Vault): Secrets {
  // Read when it is first needed: most people keep no secrets.
  let opened: ReturnType<typeof openRecordFile<typeof schemas>> | undefined
  const record = () => (opened ??= openRecordFile(file, schemas))
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other, so that what is read is what was last kept. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }

  function keep(name: keyof typeof schemas, sealed: Buffer | undefined) {
    try {
      record().keep(name, sealed?.toString('base64'))
    } catch (error) {
      throw new SecretFailure('not written', `${explainWriting(error)} Nothing was changed.`, {
        cause: error,
      })
    }
  }

  return {
    find: (name) =>
      inTurn(async () => {
        const sealed = record().find(name)
        if (sealed === undefined) {
          const kept = record().setAside
          if (kept === undefined) return undefined
          throw new SecretFailure(
            'unreadable',
            `What was kept can’t be read. A copy is in ${kept}. Enter it again.`,
          )
        }
        const { secret, isStale } = await vault.open(Buffer.from(sealed, 'base64'))
        if (isStale) {
          try {
            keep(name, await vault.seal(secret))
          } catch (error) {
            // It is there all the same, and the next one to ask tries again.
            console.error(`A secret could not be sealed anew: ${(error as Error).message}`)
          }
        }
        return secret
      }),
    set: (name, value) => inTurn(async () => keep(name, await vault.seal(value))),
    remove: (name) =>
      inTurn(async () => {
        if (record().find(name) !== undefined) keep(name, undefined)
      }),
  }
}
