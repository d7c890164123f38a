import * as account from '../../actions/account.ts'
import { limits } from '../../contract/limits.ts'
import { accountRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'
import { isFromSecurePage } from '../origin.ts'
import { cookieOfSession, secureCookieOf } from '../principal.ts'

const sessionSeconds = limits.sessionDays * 24 * 60 * 60

/** Who I am, my settings, and signing in and out. */
export function accountHandlers(mounting: Mounting) {
  const { sessionCookie } = mounting.context
  const secureCookie = secureCookieOf(sessionCookie)
  const cookie = (name: string, value: string, seconds: number) =>
    `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${name === secureCookie ? '; Secure' : ''}`

  mount(mounting, accountRoutes.createSession, account.signIn, (call) =>
    shown(call.perform(call.body), ({ user, secret }) => {
      const name = isFromSecurePage(call.request.headers) ? secureCookie : sessionCookie
      void call.reply.header('set-cookie', cookie(name, secret, sessionSeconds))
      return user
    }),
  )

  mount(mounting, accountRoutes.deleteSession, account.signOut, (call) => {
    const { session } = call.task.principal
    const name = session && cookieOfSession(call.request, sessionCookie, session.secret)
    return shown(call.perform(), (done) => {
      void call.reply.header('set-cookie', cookie(name ?? sessionCookie, '', 0))
      return done
    })
  })

  mount(mounting, accountRoutes.getMe, account.readAccount, (call) => {
    const { session } = call.task.principal
    const name = session && cookieOfSession(call.request, sessionCookie, session.secret)
    // The app asks this first: a session that is used must not end because its cookie does.
    if (name) void call.reply.header('set-cookie', cookie(name, session.secret, sessionSeconds))
    return call.perform()
  })

  mount(mounting, accountRoutes.getSettings, account.readSettings, (call) => call.perform())
  mount(mounting, accountRoutes.updateSettings, account.updateSettings, (call) => call.perform(call.body))
  mount(mounting, accountRoutes.getStatus, account.readStatus, (call) => call.perform())
}
