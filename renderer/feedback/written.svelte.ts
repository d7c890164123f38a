import { untrack } from 'svelte'
import type { FeedbackDrafts } from './feedback-drafts.ts'

/** At which drafts one is writing on cards. */
export class Written {
  /** Once for each place that it is written in. */
  open = $state.raw<readonly { slot: string }[]>([])

  /** Says that a draft is being written at; answers what says that it no longer is. */
  begin(slot: string): () => void {
    const one = { slot }
    untrack(() => (this.open = [...this.open, one]))
    return () => untrack(() => (this.open = this.open.filter((other) => other !== one)))
  }

  /** Whether something is begun on a card, which may go. */
  isAny(drafts: FeedbackDrafts): boolean {
    return this.open.length > 0 || [...drafts.all().keys()].some((slot) => !/^(new$|suggest:)/u.test(slot))
  }
}
