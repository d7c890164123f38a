import type { Action } from '../actions/action.ts'
import type { Target } from '../actions/asker.ts'
import { createFeed, type Feed } from '../actions/feed.ts'
import type { AllFilesContext } from '../actions/all-files.ts'
import type { FilesContext } from '../actions/files.ts'
import { HeavyWrites } from '../actions/heavy-writes.ts'
import { createLimiters } from '../actions/rate-limits.ts'
import { commandLinePrincipal } from '../actions/principal.ts'
import { begin, run } from '../actions/run.ts'
import type { RenderingContext } from '../actions/rendering-context.ts'
import type { SearchContext } from '../actions/search.ts'
import type { LinkContext } from '../actions/share-links.ts'
import type { Task } from '../actions/task.ts'
import { KeptAlike } from '../actions/told-alike.ts'
import type { About } from '../contract/route.ts'
import type { DataFolder } from '../data-folder.ts'
import { createRenderer } from '../markdown/index.ts'
import { usualSharePort } from '../share-port.ts'
import { openBlobFolder } from '../store/blob-folder.ts'
import { isLocked } from '../store/folder-lock.ts'
import { unlessUnreadable } from '../store/readable.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { here } from '../threads/text-work.ts'
import { freeUnusedFiles } from '../unused-files.ts'

export type CommandContext = AllFilesContext &
  FilesContext &
  SearchContext &
  LinkContext &
  RenderingContext & { feed: Feed }

/** What the actions work with in a command, and who hears of it there. */
export const commandContext = (store: Store, folder: DataFolder, feed: Feed): CommandContext => ({
  store,
  blobs: openBlobFolder(folder.files),
  // Only what guests delete goes at once, and none of them comes this way.
  removeUnused: () => {},
  freeUnused: () => freeUnusedFiles({ store, blobs: openBlobFolder(folder.files), backups: folder.backups }),
  texts: { workOut: (kind, asked) => Promise.resolve(here(kind, asked)) },
  // It holds nobody up here.
  searches: { find: () => Promise.resolve(undefined) },
  markdown: createRenderer(),
  tunnel: { status: () => addressesOf(folder) },
  limiters: createLimiters(),
  heavyWrites: new HeavyWrites(),
  alike: new KeptAlike(),
  // A server beside finds out by itself.
  publish: (events) => feed.publish(events),
  feed,
})

/** The command line as a channel: whoever has this machine's files may do what each of its users may. */
export class CommandChannel {
  readonly #context: CommandContext
  readonly #name: string
  readonly #feed: Feed

  /** @param name what is noted of how a change came */
  constructor(store: Store, folder: DataFolder, name: string) {
    this.#name = name
    this.#feed = createFeed({ store, tell: () => {} })
    this.#context = commandContext(store, folder, this.#feed)
  }

  /** undefined also where that can't be read. */
  titleOf(id: string): string | undefined {
    return unlessUnreadable(() => this.#context.store.documents.titleOf(id))
  }
  /** Whether what was read of a document is older than what was saved last: that is damaged. */
  readsOlder(id: string): boolean {
    return this.#context.store.documents.readsOlder(id)
  }

  /** The bytes of files. */
  get blobs(): CommandContext['blobs'] {
    return this.#context.blobs
  }

  async perform<T extends Task, Input, Result>(
    user: UserRow,
    action: Action<CommandContext, T, Input, Result, About>,
    target: Target,
    input: Input,
  ): Promise<Result> {
    const asker = {
      principal: () => commandLinePrincipal(user, this.#name),
      address: () => '',
      size: () => 0,
    }
    if (action.accepts) {
      // What checks it takes long to load, and most commands bring nothing that has to be checked.
      const { perform } = await import('../actions/perform.ts')
      return perform(this.#context, action, asker, target, input)
    }
    return run(this.#context, action, await begin(this.#context, action, asker, target), input)
  }

  /** Nobody waits any more. */
  async close(): Promise<void> {
    this.#feed.close()
    await this.#context.markdown.close()
  }
}

/** How links are reached, by what the server says that runs on the folder; its usual port where none does. */
function addressesOf(folder: DataFolder): ReturnType<LinkContext['tunnel']['status']> {
  const server = isLocked(folder.lock) ? folder.readServer() : undefined
  const share_port = Number(URL.parse(server?.shareUrl ?? '')?.port) || usualSharePort
  return { state: server?.tunnel?.state ?? 'off', share_url: server?.tunnel?.share_url ?? '', share_port }
}
