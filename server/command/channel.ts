import type { Action } from '../actions/action.ts'
import type { Target } from '../actions/asker.ts'
import type { FilesContext } from '../actions/files.ts'
import { HeavyWrites } from '../actions/heavy-writes.ts'
import { createLimiters } from '../actions/limiters.ts'
import { commandLinePrincipal } from '../actions/principal.ts'
import { begin, run } from '../actions/run.ts'
import type { Task } from '../actions/task.ts'
import type { About } from '../contract/route.ts'
import type { DataFolder } from '../data-folder.ts'
import { openBlobFolder } from '../store/blob-folder.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { here } from '../threads/text-work.ts'

/** The command line as a channel: whoever has this machine's files may do what each of its users may. */
export class CommandChannel {
  readonly #context: FilesContext
  readonly #name: string

  /** @param name what is noted of how a change came */
  constructor(store: Store, folder: DataFolder, name: string) {
    this.#name = name
    this.#context = {
      store,
      blobs: openBlobFolder(folder.files),
      texts: { workOut: (kind, asked) => Promise.resolve(here(kind, asked)) },
      limiters: createLimiters(),
      heavyWrites: new HeavyWrites(),
      // A server beside finds out by itself.
      publish: () => {},
    }
  }

  async perform<T extends Task, Input, Result>(
    user: UserRow,
    action: Action<FilesContext, T, Input, Result, About>,
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
