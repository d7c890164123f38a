import { keyRoutes } from '../../contract/routes.ts'
import { invalid, notFound, unauthorized } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { expiryOf } from '../expiry.ts'
import { mount, type Mounting } from '../mount.ts'
import { apiKeyView } from '../view.ts'

/**
 * The name of a key: 1 to 100 characters after trimming.
 * @throws GalleyError VALIDATION_ERROR
 */
export function keyName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw invalid('“name” must not be empty.')
  if ([...trimmed].length > limits.keyNameLength) {
    throw invalid(`“name” must be at most ${limits.keyNameLength} characters long.`)
  }
  return trimmed
}

export function keyHandlers(mounting: Mounting) {
  const { store } = mounting.context

  mount(mounting, keyRoutes.listKeys, ({ caller }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    return store.apiKeys.list(caller.user.id).map(apiKeyView)
  })

  mount(mounting, keyRoutes.createKey, ({ caller, body }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    const { row, key } = store.apiKeys.create(caller.user.id, {
      name: keyName(body.name),
      access: body.access ?? 'full',
      expiresAt: expiryOf(body.expires_at, store.now()),
    })
    return { ...apiKeyView(row), key }
  })

  mount(mounting, keyRoutes.deleteKey, ({ caller, params }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    if (!store.apiKeys.delete(params['id'] ?? '', caller.user.id)) throw notFound('API key')
    return { deleted: true as const }
  })
}
