import { accountRoutes } from '../../contract/routes.ts'
import { unauthorized } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { Refused, sessionCookie } from '../caller.ts'
import { mount, type Mounting } from '../mount.ts'
import { userView } from '../view.ts'

const cookie = (value: string, seconds: number) =>
  `${sessionCookie}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}`

/** Who I am, my settings, and signing in and out. */
export function accountHandlers(mounting: Mounting) {
  const { store, limiters } = mounting.context

  mount(mounting, accountRoutes.createSession, async ({ body, request, reply }) => {
    const session = store.sessions.exchange(body.ticket)
    const user = session && store.users.find(session.userId)
    if (!user) {
      await limiters.failedCredential(request.ip)
      throw new Refused(true)
    }
    void reply.header('set-cookie', cookie(session.secret, limits.sessionDays * 24 * 60 * 60))
    return userView(user)
  })

  mount(mounting, accountRoutes.deleteSession, ({ caller, reply }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    if (caller.session) store.sessions.delete(caller.session)
    void reply.header('set-cookie', cookie('', 0))
    return { deleted: true as const }
  })

  mount(mounting, accountRoutes.getMe, ({ caller }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    return userView(caller.user)
  })

  mount(mounting, accountRoutes.getSettings, ({ caller }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    return { name: caller.user.name, theme: caller.user.theme }
  })

  mount(mounting, accountRoutes.updateSettings, ({ caller, body }) => {
    if (caller.kind !== 'owner') throw unauthorized()
    const user = store.users.update(caller.user.id, {
      ...(body.name === undefined ? {} : { name: body.name.trim() }),
      ...(body.theme === undefined ? {} : { theme: body.theme }),
    })
    return { name: user.name, theme: user.theme }
  })

  mount(mounting, accountRoutes.getStatus, ({ context }) => ({
    version: context.version,
    share_url: context.shareUrl(),
  }))
}
