import { onTestFinished } from 'vitest'
import { createFeed } from '../../actions/feed.ts'
import { recordWithin } from '../../actions/record.ts'
import type { GalleyEvent } from '../../contract/events.ts'
import { openStore } from '../../store/store.ts'
import { systemResolve, type Resolve } from '../addresses.ts'
import { createDispatcher } from '../dispatcher.ts'
import { createPost } from '../post.ts'

interface SceneOptions {
  file?: string
  now?: () => number
  resolve?: Resolve
  timeout?: number
  looksEvery?: number
}

/** A database, and what sends from it; with a `file`, another one goes on with it. */
export function openScene({
  file = ':memory:',
  now = Date.now,
  resolve,
  timeout,
  looksEvery,
}: SceneOptions = {}) {
  const store = openStore({ file, now })
  const stopped: string[] = []
  const told: GalleyEvent[] = []
  const failures: unknown[] = []
  const post = createPost(resolve ?? systemResolve(), timeout)
  let begun = 0
  const dispatcher = createDispatcher({
    store,
    publish: (events) => feed.publish(events),
    listen: () => feed.listen(),
    post(request) {
      begun++
      return post(request)
    },
    onStopped: (ids) => void stopped.splice(0, Infinity, ...ids),
    onFailure: (error) => void failures.push(error),
    waits: { first: 5, longest: 40 },
    ...(looksEvery === undefined ? {} : { looksEvery }),
  })
  const feed = createFeed({
    store,
    tell(events) {
      told.push(...events)
      dispatcher.hear(events)
    },
  })
  const owner = store.users.owner()
  let isOpen = true
  const scene = {
    store,
    dispatcher,
    owner,
    stopped,
    told,
    failures,
    /** How many attempts have been begun. */
    begun: () => begun,
    webhook: (
      url: string,
      fields: { kinds?: string[]; documents?: string[]; inner_network?: boolean } = {},
    ) =>
      store.webhooks.create(owner.id, { url, kinds: null, documents: null, inner_network: true, ...fields }),
    /** Something happens to a document, by Galley itself. */
    happen: (id: string, kind: GalleyEvent['kind'] = 'comment.created') =>
      store.write(() =>
        recordWithin(
          { store, publish: feed.publish },
          () => null,
          (happened) => happened({ kind, document: { id, owner_id: owner.id, revision: 1 } }),
        ),
      ),
    /** Ends it in the middle of whatever it does: from one moment to the next nothing is written any more. */
    async kill() {
      isOpen = false
      store.db.close()
      feed.close()
      await dispatcher.close()
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      feed.close()
      await dispatcher.close()
      store.close()
    },
  }
  onTestFinished(() => scene.close())
  return scene
}
export type Scene = ReturnType<typeof openScene>
