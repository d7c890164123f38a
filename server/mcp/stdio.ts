import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { AgentClient } from './agent-client.ts'
import { longestLine, messagesIn } from './message-lines.ts'
import { refuseListening } from './news.ts'
import { createMcpServer } from './server.ts'

/** The SDK's own, which says when it is closed, by whomever. */
class Transport extends StdioServerTransport {
  onClosed = () => {}
  override async close() {
    await super.close()
    this.onClosed()
  }
}

/** Serves one agent on this process's own streams, until it closes them. */
export function serveStreams(client: AgentClient): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const transport = new Transport(messagesIn(process.stdin, process.stdout), process.stdout, {
    // What is longer never gets there.
    maxBufferSize: longestLine + 1_024,
  })
  const handle = serveStdio(({ era }) => createMcpServer(client, { era, stays: true }), {
    transport,
    onerror: () => {},
  })
  // Which documents there are to listen to, the SDK doesn't ask.
  const { onmessage } = transport
  let before = Promise.resolve()
  transport.onmessage = (message) => {
    before = before.then(async () => {
      const refused = await refuseListening(client, message)
      if (refused) await transport.send(refused).catch(() => {})
      else onmessage?.(message)
    })
  }
  let isOver = false
  const stop = () => {
    if (isOver) return
    isOver = true
    // Nothing more is read, which would keep the process.
    process.stdin.unpipe().pause()
    void handle.close().finally(resolve)
  }
  transport.onClosed = stop
  process.stdin.once('end', stop)
  process.stdin.once('close', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  return promise
}
