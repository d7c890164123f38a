import type { GalleyEvent } from '../contract/events.ts'
import type { ActionContext } from './context.ts'

/** Says inside a transaction what happens in it. */
export type Happened = (event: GalleyEvent) => void

type Recording = Pick<ActionContext, 'store' | 'publish'>

/**
 * Runs `work` in a transaction, together with whatever else is to be written now, and with what happens in it, which is
 * told once it is committed, in order. `work` must not await.
 */
export const record = <T>(context: Recording, work: (happened: Happened) => T): Promise<T> =>
  context.store.write(() => recordWithin(context, work))

/** The same inside a transaction that is under way. These two are the one way for events to come about. */
export function recordWithin<T>({ store, publish }: Recording, work: (happened: Happened) => T): T {
  const events: GalleyEvent[] = []
  const result = work((event) => void events.push(event))
  for (const event of events) store.afterCommit(() => publish(event))
  return result
}
