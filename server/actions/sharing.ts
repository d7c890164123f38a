import { shareLinkRoutes } from '../contract/routes/share-links.ts'
import type { UserRow } from '../store/users.ts'
import { accountAction } from './action.ts'
import type { ActionContext } from './context.ts'
import { commandLinePrincipal } from './principal.ts'
import { record, type Happened } from './record.ts'
import type { AccountTask } from './task.ts'
import { timeOrNull } from './view.ts'
import { whileBusy } from './while-busy.ts'

const sharingOf = ({ store, principal: { user } }: AccountTask) => ({
  stopped_at: timeOrNull(store.sharing.stoppedAt(user.id) ?? null),
  links: store.sharing.countLinks(user.id),
})

/** Whether anything of an account's is shared now. */
export const readSharing = accountAction({
  right: 'sharing.read',
  effect: 'reads',
  run: sharingOf,
})

export const updateSharing = accountAction({
  right: 'sharing.manage',
  effect: 'writes',
  accepts: shareLinkRoutes.updateSharing.body,
  run(task, wanted: { stopped: boolean }, happened) {
    setSharing(task.store, task.principal.user, wanted, happened)
    return sharingOf(task)
  },
})

/** The same for the machine's own user, asked by the program that Galley runs in. */
export async function setOwnSharing(context: ActionContext, wanted: { stopped: boolean }): Promise<void> {
  const { store } = context
  await whileBusy(() =>
    record(
      context,
      () => commandLinePrincipal(store.users.owner(), 'desktop'),
      (happened) => setSharing(store, store.users.owner(), wanted, happened),
    ),
  )
}

/** Has every link of a user's open nothing, or be again what it was. */
function setSharing(
  { sharing }: ActionContext['store'],
  { id }: UserRow,
  { stopped }: { stopped: boolean },
  happened: Happened,
) {
  if (stopped) sharing.stop(id)
  else sharing.start(id)
  happened({ kind: stopped ? 'sharing.stopped' : 'sharing.started' })
}
