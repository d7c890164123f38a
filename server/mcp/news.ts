import {
  ResourceNotFoundError,
  type McpServer,
  type ProtocolEra,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { followDocument } from '../actions/follow.ts'
import { isOfHidden } from '../actions/hidden-words.ts'
import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import { documentOf, documentUri, feedbackUri } from './addresses.ts'
import type { Caller } from './caller.ts'
import { resourceFailure } from './resources.ts'

/** So many documents one connection may subscribe to. */
const mostSubscribed = 1_000

/** Which resources are others now, and whether the list of them is. */
interface News {
  uris: Set<string>
  isListChanged: boolean
}

/** Tells an agent what changes of what they may read, until the returned function is called. */
function follow(caller: Caller, tell: (news: News) => void): () => void {
  const { feed, store } = caller.context
  return feed.follow((events) => {
    // What hidden guests say is nobody's to answer.
    const told = events.filter((event) => !isOfHidden(store, event))
    for (const [id, ofDocument] of Map.groupBy(told, ({ documentId }) => documentId)) {
      if (id === null) continue
      const news = newsOf(id, ofDocument)
      if (news.uris.size === 0 && !news.isListChanged) continue
      // Whoever may not read it isn't told that anything became of it. One that is gone nobody may read any more.
      caller.perform(followDocument, { id }, undefined).then(
        () => tell(news),
        () => {},
      )
    }
  })
}

function newsOf(id: string, events: readonly GalleyEvent[]): News {
  const uris = new Set<string>()
  for (const { kind } of events) {
    const subject = subjectOf(kind)
    if (subject === 'content' || subject === 'everything') uris.add(documentUri(id))
    if (['comments', 'suggestions', 'feedback', 'everything'].includes(subject)) uris.add(feedbackUri(id))
  }
  const isListChanged = events.some(({ kind }) =>
    ['document.created', 'document.renamed', 'document.restored'].includes(kind),
  )
  return { uris, isListChanged }
}

/** Tells news on a connection that stays. */
export function tellNews({ server }: McpServer, caller: Caller, era: ProtocolEra): void {
  const subscribed = new Set<string>()
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      const id = documentOf(uri)
      if (id === undefined) throw new ResourceNotFoundError(uri)
      await caller.perform(followDocument, { id }, undefined).catch((error: unknown) => {
        throw resourceFailure(caller, uri, error)
      })
      if (subscribed.size >= mostSubscribed)
        throw new Error(`${mostSubscribed} subscriptions are the most. Take some back first.`)
      subscribed.add(uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri)
      return {}
    })
  }
  const stop = follow(caller, ({ uris, isListChanged }) => {
    const told: Promise<void>[] = []
    // Of those who came by the newer protocol the SDK knows who wants to be told of what.
    for (const uri of uris)
      if (era !== 'legacy' || subscribed.has(uri)) told.push(server.sendResourceUpdated({ uri }))
    if (isListChanged) told.push(server.sendResourceListChanged())
    // Whoever has left is told nothing any more.
    Promise.all(told).catch(() => {})
  })
  const { onclose } = server
  server.onclose = () => {
    stop()
    onclose?.()
  }
}

/** Where the SDK hears what to tell those who listen by HTTP. */
export class NewsBus implements ServerEventBus {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** All that happens comes from Galley's own feed. */
  publish(): void {}

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return follow(this.#caller, ({ uris, isListChanged }) => {
      for (const uri of uris) listener({ kind: 'resource_updated', uri })
      if (isListChanged) listener({ kind: 'resources_list_changed' })
    })
  }
}
