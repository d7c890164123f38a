import { Transform, type Readable, type Writable } from 'node:stream'
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Caller } from './caller.ts'
import { createMcpServer } from './server.ts'

/** A line that isn't JSON: what sent it may wait for an answer. */
const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error: not JSON' } }

/** What comes in, line by line; to a line that is no message it answers so, which the SDK passes over. */
function messagesIn(input: Readable, output: Writable): Readable {
  let begun: Buffer[] = []
  const pass = (line: Buffer): Buffer[] => {
    try {
      const text = line.toString()
      if (text.trim() === '') return []
      JSON.parse(text)
      return [line]
    } catch {
      output.write(`${JSON.stringify(parseError)}\n`)
      return []
    }
  }
  const messages = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10)) {
        for (const line of pass(Buffer.concat([...begun, chunk.subarray(0, at + 1)]))) this.push(line)
        begun = []
        chunk = chunk.subarray(at + 1)
      }
      begun.push(chunk)
      // What is too long the SDK refuses.
      if (begun.reduce((sum, { length }) => sum + length, 0) > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        for (const part of begun) this.push(part)
        begun = []
      }
      done()
    },
  })
  return input.pipe(messages)
}

/** Serves one agent on this process's own streams, until it closes them. */
export function serveStreams(caller: Caller): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle = serveStdio(({ era }) => createMcpServer(caller, { era, stays: true }), {
    transport: new StdioServerTransport(messagesIn(process.stdin, process.stdout)),
    onerror: () => {},
  })
  const stop = () => {
    // Nothing more is read, which would keep the process.
    process.stdin.unpipe().pause()
    void handle.close().finally(resolve)
  }
  process.stdin.once('end', stop)
  process.stdin.once('close', stop)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  return promise
}
