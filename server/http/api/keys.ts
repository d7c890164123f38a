import { keyRoutes } from '../../contract/routes.ts'
import { notFound } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { accountOf } from '../caller.ts'
import { expiryOf } from '../expiry.ts'
import { mount, type Mounting } from '../mount.ts'
import { trimmedText } from '../trimmed-text.ts'
import { apiKeyView } from '../view.ts'

export function keyHandlers(mounting: Mounting) {
  const { store } = mounting.context

  mount(mounting, keyRoutes.listKeys, ({ caller }) =>
    store.apiKeys.list(accountOf(caller).user.id).map(apiKeyView),
  )

  mount(mounting, keyRoutes.createKey, ({ caller, body }) => {
    const { row, key } = store.apiKeys.create(accountOf(caller).user.id, {
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
      if (!store.apiKeys.delete(params['id'] ?? '', accountOf(caller).user.id)) throw notFound('API key')
      return { deleted: true as const }
    },
    {
      find({ caller, params }) {
        if (!store.apiKeys.list(accountOf(caller).user.id).some((key) => key.id === params['id']))
          throw notFound('API key')
      },
    },
  )
}
