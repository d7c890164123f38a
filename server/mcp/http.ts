import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Caller } from './caller.ts'
import { createMcpServer } from './server.ts'

/** What came by HTTP, with its body read. */
export interface Exchange {
  method: string
  headers: Record<string, string>
  body: unknown
  /** Ends when whoever asked has left, or may no longer ask. */
  signal: AbortSignal
}

/**
 * Answers one request of the Streamable HTTP transport. Nothing is kept from one to the next: who asks says so each
 * time, and there is no session that could be taken over, forgotten or left open.
 */
export async function answerExchange(caller: Caller, { method, headers, body, signal }: Exchange) {
  const handler = createMcpHandler(() => createMcpServer(caller), { onerror: () => {} })
  signal.addEventListener('abort', () => void handler.close(), { once: true })
  // Nobody calls this address: what it is was decided before.
  const request = new Request('http://galley/mcp', { method, headers, signal })
  return handler.fetch(request, { parsedBody: body })
}
