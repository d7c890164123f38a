import type { Me, Settings, User } from '../contract/records/account.ts'
import { accountRoutes } from '../contract/routes/account.ts'
import { accountAction, openAction, sessionAction } from './action.ts'
import type { ActionContext } from './context.ts'
import { isOwnUser } from './own-user.ts'
import { Refused } from './principal.ts'
import type { AccountTask } from './task.ts'
import { meView, settingsView, userView } from './view.ts'

/** Makes a one-time ticket with which a browser signs in. */
export const createTicket = accountAction({
  right: 'account.manage',
  effect: 'writes',
  run: ({ store, principal }): string => store.signInLinks.createTicket(principal.user.id),
})

/** Exchanges the ticket of a sign-in link for a session's secret. */
export const signIn = openAction({
  effect: 'writes',
  accepts: accountRoutes.createSession.body,
  run({ store }, { ticket }: { ticket: string }): { user: User; secret: string } {
    const session = store.sessions.exchange(ticket)
    const user = session && store.users.find(session.userId)
    if (!user) throw new Refused(true)
    return { user: userView(user), secret: session.secret }
  },
})

export const signOut = sessionAction({
  right: 'account.manage',
  effect: 'writes',
  run({ store, principal: { session } }) {
    if (session) store.sessions.delete(session.digest)
    return { deleted: true as const }
  },
})

export const readAccount = accountAction({
  right: 'account.read',
  effect: 'reads',
  run: (task): Me => meView(task.principal, isOwnUser(task)),
})

export const readSettings = accountAction({
  right: 'settings.read',
  effect: 'reads',
  run: ({ principal }): Settings => settingsView(principal.user),
})

interface ChangedSettings {
  name?: string
  theme?: Settings['theme']
  trash_days?: Settings['trash_days']
  files_gigabytes?: Settings['files_gigabytes']
}

export const updateSettings = accountAction({
  right: 'account.manage',
  effect: 'writes',
  accepts: accountRoutes.updateSettings.body,
  run({ store, principal }, { name, ...others }: ChangedSettings): Settings {
    const user = store.users.update(principal.user.id, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...others,
    })
    return settingsView(user)
  },
})

/** What this Galley is. */
export interface StatusContext extends ActionContext {
  version: string
  /** What the server runs on. */
  components: { name: string; version: string }[]
  /** The address that share links start with, without a trailing slash. */
  shareUrl: () => string
}

export const readStatus = accountAction({
  right: 'account.read',
  effect: 'reads',
  run: ({ context }: AccountTask<StatusContext>) => ({
    version: context.version,
    components: context.components,
    share_url: context.shareUrl(),
  }),
})
