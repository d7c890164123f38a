import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type JSONRPCErrorResponse,
  type McpServer,
  type ProtocolEra,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { followDocument } from '../actions/follow.ts'
import { explainError } from '../actions/explained-errors.ts'
import { isOfHidden } from '../actions/hidden-words.ts'
import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import { documentOf, documentUri, feedbackUri } from './addresses.ts'
import type { AgentClient } from './agent-client.ts'
import { explained } from './refusal.ts'
import { resourceFailure } from './resources.ts'

/** So many documents one connection may subscribe to. */
const mostSubscribed = 1_000
const tooManySubscribed = `${mostSubscribed} subscriptions are the most. Take some back first.`

/** Which resources are others now, and whether the list of them is. */
interface ChangedResources {
  uris: Set<string>
  isListChanged: boolean
}

/** Tells an agent what changes of what they may read, until the returned function is called. */
function follow(client: AgentClient, tell: (news: ChangedResources) => void): () => void {
  const { feed, store } = client.context
  return feed.follow((events) => {
    // What hidden guests say is nobody's to answer.
    const told = events.filter((event) => !isOfHidden(store, event))
    for (const [id, ofDocument] of Map.groupBy(told, ({ documentId }) => documentId)) {
      if (id === null) continue
      const news = newsOf(id, ofDocument)
      if (news.uris.size === 0 && !news.isListChanged) continue
      // Whoever may not read it isn't told that anything became of it. One that is gone nobody may read any more.
      client.perform(followDocument, { id }, undefined).then(
        () => tell(news),
        () => {},
      )
    }
  })
}

function newsOf(id: string, events: readonly GalleyEvent[]): ChangedResources {
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

/** @throws Error unless it is of a document that they may follow */
async function requireFollowed(client: AgentClient, uri: string): Promise<void> {
  const id = documentOf(uri)
  if (id === undefined) throw new ResourceNotFoundError(uri)
  await client.perform(followDocument, { id }, undefined).catch((error: unknown) => {
    throw resourceFailure(client, uri, error)
  })
}

/** Tells news on a connection that stays. */
export function tellNews({ server }: McpServer, client: AgentClient, era: ProtocolEra): void {
  const subscribed = new Set<string>()
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      await requireFollowed(client, uri)
      if (subscribed.size >= mostSubscribed) throw new Error(tooManySubscribed)
      subscribed.add(uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri)
      return {}
    })
  }
  const stop = follow(client, ({ uris, isListChanged }) => {
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

interface Listening {
  id?: string | number
  method?: unknown
  params?: { notifications?: { resourceSubscriptions?: unknown } }
}

/** The answer that what a message wants to be told of isn’t there, or that too many listen; undefined for all others. */
export async function refuseListening(
  client: AgentClient,
  asked: unknown,
): Promise<JSONRPCErrorResponse | undefined> {
  const { id, method, params } = (asked ?? {}) as Listening
  // Whoever has come by a link may listen to nothing, which the SDK says.
  if (method !== 'subscriptions/listen' || client.only !== undefined) return undefined
  const named = params?.notifications?.resourceSubscriptions
  const uris = Array.isArray(named) ? named.filter((uri) => typeof uri === 'string') : []
  try {
    if (uris.length > mostSubscribed) throw new Error(tooManySubscribed)
    for (const uri of uris) await requireFollowed(client, uri)
    client.hold()
    return undefined
  } catch (error) {
    const message = explainError(error) ? explained(error, client, true) : (error as Error).message
    const refusal =
      error instanceof ProtocolError
        ? { code: error.code, data: error.data }
        : { code: ProtocolErrorCode.InternalError }
    return { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { ...refusal, message } }
  }
}

/** Where the SDK hears what to tell those who listen by HTTP. */
export class NewsBus implements ServerEventBus {
  readonly #client: AgentClient

  constructor(client: AgentClient) {
    this.#client = client
  }

  /** All that happens comes from Galley's own feed. */
  publish(): void {}

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return follow(this.#client, ({ uris, isListChanged }) => {
      for (const uri of uris) listener({ kind: 'resource_updated', uri })
      if (isListChanged) listener({ kind: 'resources_list_changed' })
    })
  }
}
