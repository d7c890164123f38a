import { accountRoutes } from '../../contract/routes.ts'
import { limits } from '../../contract/limits.ts'
import { accountOf, Refused, secureCookieOf } from '../caller.ts'
import { mount, type Mounting } from '../mount.ts'
import { isFromSecurePage } from '../origin.ts'
import { remoteAddress } from '../remote-address.ts'
import { settingsView, userView } from '../view.ts'

const sessionSeconds = limits.sessionDays * 24 * 60 * 60

/** Who I am, my settings, and signing in and out. */
export function accountHandlers(mounting: Mounting) {
  const { store, limiters, sessionCookie } = mounting.context
  const secureCookie = secureCookieOf(sessionCookie)
  const cookie = (name: string, value: string, seconds: number) =>
    `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${name === secureCookie ? '; Secure' : ''}`

  mount(mounting, accountRoutes.createSession, ({ body, request, reply }) => {
    const session = store.sessions.exchange(body.ticket)
    const user = session && store.users.find(session.userId)
    if (!user) {
      return limiters.failedCredential(remoteAddress(mounting.context, request.raw)).then(() => {
        throw new Refused(true)
      })
    }
    const name = isFromSecurePage(request.headers) ? secureCookie : sessionCookie
    void reply.header('set-cookie', cookie(name, session.secret, sessionSeconds))
    return userView(user)
  })

  mount(mounting, accountRoutes.deleteSession, ({ caller, reply }) => {
    const { session } = accountOf(caller)
    if (session) store.sessions.delete(session.digest)
    void reply.header('set-cookie', cookie(session?.cookie ?? sessionCookie, '', 0))
    return { deleted: true as const }
  })

  mount(mounting, accountRoutes.getMe, ({ caller, reply }) => {
    const { user, session } = accountOf(caller)
    // The app asks this first: a session that is used must not end because its cookie does.
    if (session) void reply.header('set-cookie', cookie(session.cookie, session.secret, sessionSeconds))
    return userView(user)
  })

  mount(mounting, accountRoutes.getSettings, ({ caller }) => {
    const { user } = accountOf(caller)
    return settingsView(user)
  })

  mount(mounting, accountRoutes.updateSettings, ({ caller, body }) => {
    const user = store.users.update(accountOf(caller).user.id, {
      ...(body.name === undefined ? {} : { name: body.name.trim() }),
      ...(body.theme === undefined ? {} : { theme: body.theme }),
      ...(body.trash_days === undefined ? {} : { trash_days: body.trash_days }),
    })
    return settingsView(user)
  })

  mount(mounting, accountRoutes.getStatus, ({ context }) => ({
    version: context.version,
    components: context.components,
    share_url: context.shareUrl(),
  }))
}
