import type { GalleyEvent } from '../contract/events.ts'
import type { ActionContext } from './context.ts'

/** Says inside a transaction what happens in it. */
export type Happened = (event: GalleyEvent) => void

/**
 * Runs `work` in one transaction with what happens in it, which is told once it is committed, in order. This is the one
 * way for events to come about; `work` must not await.
 */
export function record<T>(
  { store, publish }: Pick<ActionContext, 'store' | 'publish'>,
  work: (happened: Happened) => T,
): T {
  const events: GalleyEvent[] = []
  const result = store.transaction(() => work((event) => void events.push(event)))
  for (const event of events) store.afterCommit(() => publish(event))
  return result
}
