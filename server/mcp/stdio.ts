import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Caller } from './caller.ts'
import { createMcpServer } from './server.ts'

/** Serves one agent on this process's own streams, until it closes them. */
export function serveStreams(caller: Caller): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle = serveStdio(({ era }) => createMcpServer(caller, { era, stays: true }), {
    transport: new StdioServerTransport(),
    onerror: () => {},
  })
  const stop = () => void handle.close().finally(resolve)
  process.stdin.once('end', stop)
  process.stdin.once('close', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  return promise
}
