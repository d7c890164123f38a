import type { ShareLinkRow } from '../store/share-links.ts'
import type { ActionContext } from './context.ts'
import { Refused, type AccountPrincipal } from './principal.ts'

type WithStore = Pick<ActionContext, 'store'>

/** Whoever has an API key. */
export function accountByKey({ store }: WithStore, secret: string): AccountPrincipal | undefined {
  const found = store.apiKeys.findValid(secret)
  if (!found) return undefined
  const { row, user } = found
  return {
    user,
    access: row.access,
    author: { id: user.id, name: user.name, key: `key:${row.id}`, keyName: row.name, keyKind: row.kind },
    key: row,
    session: null,
  }
}

/** Whoever is signed in. */
export function accountBySession({ store }: WithStore, secret: string): AccountPrincipal | undefined {
  const session = store.sessions.findValid(secret)
  if (!session) return undefined
  const { user, digest } = session
  const key = `session:${digest.toString('hex').slice(0, 32)}`
  return {
    user,
    access: 'full',
    author: { id: user.id, name: user.name, key },
    key: null,
    session: { digest, secret },
  }
}

/**
 * The share link of a token.
 * @throws Refused if there is none, or it is no longer valid
 */
export function validLink({ store }: WithStore, token: unknown): ShareLinkRow {
  const link = typeof token === 'string' ? store.shareLinks.findValid(token) : undefined
  if (!link) throw new Refused(true)
  return link
}
