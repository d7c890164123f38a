import { createMcpHandler } from '@modelcontextprotocol/server'
import type { AgentClient } from './agent-client.ts'
import { NewsBus, refuseListening } from './news.ts'
import { createMcpServer } from './server.ts'

/** What came by HTTP, with its body read. */
export interface Exchange {
  method: string
  headers: Record<string, string>
  body: unknown
  /** Ends at once whatever is being answered. */
  signal: AbortSignal
}

/**
 * Answers one request of the Streamable HTTP transport. Nothing is kept from one to the next: who asks says so each
 * time, and there is no session that could be taken over, forgotten or left open.
 */
export async function answerExchange(
  client: AgentClient,
  { method, headers, body, signal }: Exchange,
): Promise<Response> {
  const refused = await refuseListening(client, body)
  if (refused) return Response.json(refused)
  const handler = createMcpHandler(({ era }) => createMcpServer(client, { era, stays: false }), {
    onerror: () => {},
    bus: new NewsBus(client),
    // One request listens once, and none that has come by a link.
    maxSubscriptions: client.only === undefined ? 1 : 0,
  })
  signal.addEventListener('abort', () => void handler.close(), { once: true })
  // Nobody calls this address: what it is was decided before.
  const request = new Request('http://galley/mcp', { method, headers, signal })
  return handler.fetch(request, { parsedBody: body })
}
