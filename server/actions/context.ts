import type { GalleyEvent } from '../contract/events.ts'
import type { Store } from '../store/store.ts'
import type { TextThreads } from '../threads/text-threads.ts'
import type { NamedAgent } from './agents.ts'
import type { HeavyWrites } from './heavy-writes.ts'
import type { Limiters } from './rate-limits.ts'
import type { KeptAlike } from './told-alike.ts'

/** What every action works with. Those that need more say so in the type of their task. */
export interface ActionContext {
  store: Store
  /** Where heavy work on texts is done. */
  texts: Pick<TextThreads, 'workOut'>
  limiters: Limiters
  heavyWrites: HeavyWrites
  alike: KeptAlike
  /** Tells whoever watches what has happened, after the commit. `record` calls it, and nothing else. */
  publish: (events: readonly GalleyEvent[]) => void
  /** Told when something can't be read, since the database's file is damaged there. */
  metDamage?: () => void
  /** Told of each agent that is let in to a document, for who else has it open. */
  sawAgent?: (documentId: string, agent: NamedAgent) => void
}
