import type { Action } from '../actions/action.ts'
import type { Asker, Target } from '../actions/asker.ts'
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
}

/** An agent: whoever asks, and what is done for them. Each action decides by itself whether they may. */
export class Caller {
  readonly context: McpContext
  readonly #asker: Asker
  /** Told what is nobody's mistake but Galley's. */
  readonly onFailure: (error: unknown) => void

  constructor(context: McpContext, asker: Asker, onFailure: (error: unknown) => void) {
    this.context = context
    this.#asker = asker
    this.onFailure = onFailure
  }

  perform<T extends Task, Input, Result>(
    action: Action<McpContext, T, Input, Result, About>,
    target: Target,
    input: Input,
  ): Promise<Result> {
    return perform(this.context, action, this.#asker, target, input)
  }
}
