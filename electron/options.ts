import path from 'node:path'
import { parseArgs } from 'node:util'
import type { ServerOptions } from './messages.ts'

/** The options of `galley serve` that the desktop takes too. Chromium's own switches among them are passed over. */
export function readOptions(argv: string[], env: NodeJS.ProcessEnv = process.env): ServerOptions {
  const { values } = parseArgs({
    args: argv.slice(1),
    strict: false,
    options: { data: { type: 'string' }, port: { type: 'string' }, 'share-port': { type: 'string' } },
  })
  const folder = typeof values.data === 'string' ? values.data : env.GALLEY_DATA
  const port = toPort(values.port)
  const sharePort = toPort(values['share-port'])
  return {
    ...(folder ? { dataFolder: path.resolve(folder) } : {}),
    ...(port === undefined ? {} : { port }),
    ...(sharePort === undefined ? {} : { sharePort }),
  }
}

function toPort(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
  return port !== undefined && port <= 65535 ? port : undefined
}
