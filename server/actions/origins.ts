import { invalid } from '../contract/errors.ts'
import { originRoutes } from '../contract/routes/origins.ts'
import { originOf } from '../domain/allowed-origin.ts'
import { machineAction } from './action.ts'
import { ownUserOnly } from './own-user.ts'

export const readOrigins = machineAction({
  right: 'origin.read',
  effect: 'reads',
  run: ({ store }) => ({ origins: store.allowedOrigins.list(store.users.owner().id) }),
})

export const updateOrigins = machineAction({
  right: 'origin.manage',
  effect: 'writes',
  accepts: originRoutes.updateOrigins.body,
  permit: ownUserOnly('Only the user this machine belongs to may say which web pages may ask.'),
  run({ store, principal }, { origins }: { origins: string[] }) {
    store.allowedOrigins.replace(
      principal.user.id,
      origins.map((text) => {
        const origin = originOf(text)
        if (origin !== undefined) return origin
        throw invalid(
          `“${text}” is no origin. It has a scheme, a host and perhaps a port: “https://tools.example.org”.`,
          'origins',
        )
      }),
    )
    return { origins: store.allowedOrigins.list(principal.user.id) }
  },
})
