import { invalid, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { KeyKind } from '../contract/records/authors.ts'
import type { ApiKey, KeyAccess, NewApiKey } from '../contract/records/keys.ts'
import { keyRoutes } from '../contract/routes/keys.ts'
import { accountAction } from './action.ts'
import { chosenFrom } from './chosen-from.ts'
import { expiryOf } from './chosen-expiry.ts'
import { trimmedLine } from './trimmed-text.ts'
import { apiKeyView } from './view.ts'

export const listKeys = accountAction({
  right: 'key.list',
  effect: 'reads',
  run: ({ store, principal }): ApiKey[] => store.apiKeys.list(principal.user.id).map(apiKeyView),
})

interface NewKey {
  name: string
  kind?: KeyKind
  access?: KeyAccess
  documents?: readonly string[] | null
  expires_at?: string | null
}

export const createKey = accountAction({
  right: 'key.manage',
  effect: 'writes',
  accepts: keyRoutes.createKey.body,
  check(_task, { access, documents }: NewKey) {
    if (documents && access === 'full')
      throw invalid(
        'A key for chosen documents can’t have “full” access, which is the account’s. Take “manage”.',
      )
  },
  run({ store, principal }, input: NewKey, happened): NewApiKey {
    const { kind = 'script' } = input
    const documents = chosenFrom(store, principal, input.documents)
    const { row, key } = store.apiKeys.create(principal.user.id, {
      ...{ name: trimmedLine('name', input.name, limits.keyNameLength), kind, documents },
      access: input.access ?? usualAccess(kind, documents !== null),
      expiresAt: expiryOf(input.expires_at, store.now()),
    })
    happened({ kind: 'key.created', subject: row.id })
    return { ...apiKeyView(row), key }
  },
})

/** An agent suggests, unless somebody says that it may do more. */
const usualAccess = (kind: KeyKind, isForSome: boolean): KeyAccess =>
  kind === 'agent' ? 'suggest' : isForSome ? 'manage' : 'full'

const noSuchKey = () => notFound('API key')

export const deleteKey = accountAction({
  right: 'key.manage',
  effect: 'writes',
  find({ store, principal, target }) {
    if (!store.apiKeys.list(principal.user.id).some((key) => key.id === target['id'])) throw noSuchKey()
  },
  run({ store, principal, target }, _input: void, happened) {
    const subject = target['id'] ?? ''
    if (!store.apiKeys.delete(subject, principal.user.id)) throw noSuchKey()
    happened({ kind: 'key.deleted', subject })
    return { deleted: true as const }
  },
})
