import { keyRoutes } from '../../contract/routes.ts'
import { notFound, unauthorized } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { expiryOf } from '../expiry.ts'
import { mount, type Mounting } from '../mount.ts'
import { trimmedText } from '../trimmed-text.ts'
import { apiKeyView } from '../view.ts'

export function keyHandlers(mounting: Mounting) {
  const { store } = mounting.context

  mount(mounting, keyRoutes.listKeys, ({ caller }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    return store.apiKeys.list(caller.user.id).map(apiKeyView)
  })

  mount(mounting, keyRoutes.createKey, ({ caller, body }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    const { row, key } = store.apiKeys.create(caller.user.id, {
      name: trimmedText('name', body.name, limits.keyNameLength),
      access: body.access ?? 'full',
      expiresAt: expiryOf(body.expires_at, store.now()),
    })
    return { ...apiKeyView(row), key }
  })

  mount(
    mounting,
    keyRoutes.deleteKey,
    ({ caller, params }) => {
      if (caller.kind !== 'owner') throw unauthorized()
      if (!store.apiKeys.delete(params['id'] ?? '', caller.user.id)) throw notFound('API key')
      return { deleted: true as const }
    },
    {
      find({ caller, params }) {
        const own = caller.kind === 'owner' ? store.apiKeys.list(caller.user.id) : []
        if (!own.some((key) => key.id === params['id'])) throw notFound('API key')
      },
    },
  )
}
