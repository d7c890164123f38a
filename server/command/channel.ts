import type { Action } from '../actions/action.ts'
import type { Target } from '../actions/asker.ts'
import type { ActionContext } from '../actions/context.ts'
import { HeavyWrites } from '../actions/heavy-writes.ts'
import { createLimiters } from '../actions/limiters.ts'
import { commandLinePrincipal } from '../actions/principal.ts'
import { begin, run } from '../actions/run.ts'
import type { Task } from '../actions/task.ts'
import type { About } from '../contract/route.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { here } from '../threads/text-work.ts'

/** The command line as a channel: whoever has this machine's files may do what each of its users may. */
export class CommandChannel {
  readonly #context: ActionContext
  readonly #name: string

  /** @param name what is noted of how a change came */
  constructor(store: Store, name: string) {
    this.#name = name
    this.#context = {
      store,
      texts: { workOut: (kind, asked) => Promise.resolve(here(kind, asked)) },
      limiters: createLimiters(),
      heavyWrites: new HeavyWrites(),
      // A server beside finds out by itself.
      publish: () => {},
    }
  }

  async perform<T extends Task, Input, Result>(
    user: UserRow,
    action: Action<ActionContext, T, Input, Result, About>,
    target: Target,
    input: Input,
  ): Promise<Result> {
    const asker = {
      principal: () => commandLinePrincipal(user, this.#name),
      address: () => '',
      size: () => 0,
    }
    const task = await begin(this.#context, action, asker, target)
    return run(this.#context, action, task, input)
  }
}
