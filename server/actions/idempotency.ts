import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { GalleyError, invalid } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { digest } from '../store/digest.ts'
import { accountName, isGuest, type Principal } from './principal.ts'
import type { Task } from './task.ts'

/** What names one asking among all of the same principal. */
export interface Once {
  /** Random, and the asker's own. */
  key: string
  /** What tells it from another asking with the same key: a digest of all that is asked. */
  asked: Buffer
}

/** What is said again to whoever asks again. */
interface Recorded {
  data: unknown
  /** The secret that a guest got. */
  guest?: string
  /** As an older Galley kept it: what came with the answer. */
  headers?: { 'set-cookie'?: string | string[] }
}

/**
 * Inside a transaction: runs `work` and keeps its result in an idempotency record, or gives the result that is kept. An
 * error isn't kept, which has changed nothing: the same may be asked again.
 * @throws GalleyError VALIDATION_ERROR if the key came with something else before, ALREADY_DONE if the result is no
 * longer kept
 */
export function once<Result>(task: Task, { key, asked }: Once, work: () => Result): Result {
  const { idempotencyRecords } = task.store
  const { principal } = task
  for (const who of namesOf(principal)) {
    const kept = idempotencyRecords.find(nameOf(who, key))
    if (!kept) continue
    if (!kept.request.equals(asked))
      throw invalid(
        'This “Idempotency-Key” came with another request before. Take a new one for each request.',
      )
    if (kept.sealed === null) throw alreadyDone()
    const recorded = unseal(kept.sealed, key)
    // What an older Galley kept of a sign-in can't be shown again.
    if (principal === null && recorded.headers) throw alreadyDone()
    task.replayed = true
    task.newGuest = recorded.guest ?? guestOf(recorded)
    return recorded.data as Result
  }
  const result = work()
  const [who] = namesOf(principal)
  const recorded: Recorded = {
    data: result,
    ...(task.newGuest === undefined ? {} : { guest: task.newGuest }),
  }
  const sealed = seal(recorded, key)
  // Guests may make much in a day and delete it again: what they were answered must not fill the disk.
  const link = principal?.kind === 'link' && isGuest(principal) ? principal.link.id : undefined
  const isKept = link === undefined || sealed.length <= limits.guestAnswerBytes
  idempotencyRecords.keep(nameOf(who!, key), { request: asked, sealed: isKept ? sealed : null }, link)
  return result
}

const alreadyDone = () =>
  new GalleyError(
    'ALREADY_DONE',
    'This was done before, and its answer is no longer kept. It isn’t done again.',
  )

/**
 * Whose key it is, most exactly first. A guest's first answer brings their secret; if it got lost on its way, they may
 * have got another one by the time they ask again.
 */
function namesOf(principal: Principal | null): string[] {
  if (principal === null) return ['ticket']
  if (principal.kind === 'owner') return [accountName(principal)]
  const link = `link ${principal.link.id}`
  if (principal.account) return [`${link} ${principal.account.user.id}`]
  return principal.guestKey === null ? [link] : [`${link} ${principal.guestKey}`, link]
}

const nameOf = (who: string, key: string) => digest(`${who}\n${key}`)

const guestOf = ({ headers }: Recorded) =>
  /^galley_guest=([0-9a-f]{32});/.exec([headers?.['set-cookie'] ?? ''].flat()[0] ?? '')?.[1]

/** The database has only digests of keys, so what is sealed with one can't be opened with the database alone. */
const secretOf = (key: string) => Buffer.from(hkdfSync('sha256', key, '', 'galley kept answer', 32))

function seal(recorded: Recorded, key: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretOf(key), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(recorded), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

function unseal(sealed: Buffer, key: string): Recorded {
  const decipher = createDecipheriv('aes-256-gcm', secretOf(key), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  return JSON.parse(text.toString('utf8')) as Recorded
}
