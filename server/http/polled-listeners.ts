import { nameOf } from '../actions/changes.ts'
import { credentialOf, type Principal } from '../actions/principal.ts'
import type { DocumentTask } from '../actions/task.ts'
import { GalleyError } from '../contract/errors.ts'
import { PolledListener } from '../live/polled.ts'
import type { Context } from './context.ts'
import { requireRoom } from './live.ts'

/** Those to whom no connection comes through, by who they are. */
const polled = new WeakMap<Context['rooms'], Map<string, PolledListener>>()

/** Who asks so, as one who listens; null where there is no room for another. */
export function polledBy(context: Context, task: DocumentTask, client: string): PolledListener | null {
  const known = polled.get(context.rooms) ?? new Map<string, PolledListener>()
  polled.set(context.rooms, known)
  const name = [task.document.id, nameOf(task, client), whoIs(task.principal)].join(' ')
  const before = known.get(name)
  if (before) return before
  try {
    requireRoom(context, task.principal, task.asker.address())
  } catch (error) {
    // The changes are told all the same.
    if (error instanceof GalleyError) return null
    throw error
  }
  const listener = new PolledListener({
    context: { ...context, onFailure: (error) => context.log.error(error, 'a polled listener failed') },
    task,
    onLeft: () => known.delete(name),
  })
  known.set(name, listener)
  return listener
}

/** What they are let in by, and whom that says they are: who comes with something else is another. */
function whoIs(principal: Principal): string {
  if (principal.kind === 'owner') return credentialOf(principal)
  const { link, account, guestKey } = principal
  return [link.id, account ? credentialOf(account) : (guestKey ?? '')].join(' ')
}
