import type { Action } from '../actions/action.ts'
import type { Asker, Target } from '../actions/asker.ts'
import type { Feed } from '../actions/feed.ts'
import type { FilesContext } from '../actions/files.ts'
import { perform } from '../actions/perform.ts'
import type { SearchContext } from '../actions/search.ts'
import type { LinkContext } from '../actions/share-links.ts'
import type { Task } from '../actions/task.ts'
import type { WaitingContext } from '../actions/waits.ts'
import type { About } from '../contract/route.ts'

/** What the actions work with that agents may ask for. */
export interface McpContext extends SearchContext, LinkContext, WaitingContext, FilesContext {
  version: string
  feed: Pick<Feed, 'next' | 'waiting' | 'follow'>
}

/** An agent: whoever asks, and what is done for them. Each action decides by itself whether they may. */
export class Caller {
  readonly context: McpContext
  readonly #asker: Asker
  /** Told what is nobody's mistake but Galley's. */
  readonly onFailure: (error: unknown) => void

  /** Ends when they have left, or may no longer ask. */
  readonly left: AbortSignal | undefined

  constructor(context: McpContext, asker: Asker, onFailure: (error: unknown) => void, left?: AbortSignal) {
    this.context = context
    this.#asker = asker
    this.onFailure = onFailure
    this.left = left
  }

  perform<T extends Task, Input, Result>(
    action: Action<McpContext, T, Input, Result, About>,
    target: Target,
    input: Input,
  ): Promise<Result> {
    return perform(this.context, action, this.#asker, target, input)
  }
}
