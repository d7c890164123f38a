import type { Action } from '../actions/action.ts'
import type { Asker, Target } from '../actions/asker.ts'
import type { Feed } from '../actions/feed.ts'
import type { FilesContext } from '../actions/files.ts'
import { perform } from '../actions/perform.ts'
import type { RenderingContext } from '../actions/rendering-context.ts'
import type { SearchContext } from '../actions/search.ts'
import type { LinkContext } from '../actions/share-links.ts'
import { chosenDocuments } from '../actions/principal.ts'
import { principalMay, type Task } from '../actions/task.ts'
import type { WaitingContext } from '../actions/waits.ts'
import { forbidden, GalleyError, notFound } from '../contract/errors.ts'
import type { About } from '../contract/route.ts'
import type { Right } from '../domain/access.ts'
import { keyAdvice } from './refusal.ts'

/** What the actions work with that agents may ask for. */
export interface McpContext
  extends SearchContext, LinkContext, WaitingContext, FilesContext, RenderingContext {
  version: string
  feed: Pick<Feed, 'next' | 'waiting' | 'follow' | 'closed'>
}

/** An agent: whoever asks, and what is done for them. Each action decides by itself whether they may. */
export class AgentClient {
  readonly context: McpContext
  readonly #asker: Asker
  /** Told what is nobody's mistake but Galley's. */
  readonly onFailure: (error: unknown) => void

  /** Ends when they have left, or may no longer ask. */
  readonly left: AbortSignal | undefined
  /** The one document that there is for them, where they have come by a link. */
  readonly only: string | undefined
  /** Says that a call begins to wait; what is returned ends that. Throws where too many wait already. */
  readonly hold: () => () => void

  constructor(
    context: McpContext,
    asker: Asker,
    onFailure: (error: unknown) => void,
    { left, only, hold }: { left?: AbortSignal; only?: string; hold?: () => () => void } = {},
  ) {
    this.context = context
    this.#asker = asker
    this.onFailure = onFailure
    this.left = left
    this.only = only
    this.hold = hold ?? (() => () => {})
  }

  /** Whether it is of use to offer them what takes a right. Whoever has a key learns from a refusal which one they need. */
  mayTry(right: Right): boolean {
    return this.only === undefined || this.may(right)
  }

  /** Whether they have a right where it counts for them. */
  may(right: Right): boolean {
    return principalMay(this.#asker.principal(), right)
  }

  async perform<T extends Task, Input, Result>(
    action: Action<McpContext, T, Input, Result, About>,
    target: Target,
    input: Input,
  ): Promise<Result> {
    // What a link doesn't lead to isn't there for whoever came by it, and nobody guesses at credentials.
    if (this.only !== undefined && target['id'] !== undefined && target['id'] !== this.only)
      throw notFound('Document')
    try {
      return await perform(this.context, action, this.#askerOf(input), target, input)
    } catch (error) {
      if (this.only === undefined && action.right !== undefined && isForbidden(error))
        throw forbidden(`${error.message} ${this.#adviceAbout(action.right)}`)
      throw error
    }
  }

  #adviceAbout(right: Right): string {
    const principal = this.#asker.principal()
    return keyAdvice(right, chosenDocuments(principal) !== null, (other) => principalMay(principal, other))
  }

  /** What guests bring counts; of a message that asks for much, each part by itself. */
  #askerOf(input: unknown): Asker {
    if (this.only === undefined) return this.#asker
    const asker = this.#asker
    return {
      principal: () => asker.principal(),
      address: () => asker.address(),
      size: () => Buffer.byteLength(JSON.stringify(input) ?? ''),
    }
  }
}

const isForbidden = (error: unknown): error is GalleyError =>
  error instanceof GalleyError && error.code === 'FORBIDDEN'
