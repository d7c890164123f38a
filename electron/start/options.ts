import path from 'node:path'
import { parseArgs } from 'node:util'
import type { ServerOptions } from '../server/server-messages.ts'

export interface DesktopOptions {
  server: ServerOptions
  /** Where Electron keeps what is its own, if not in the usual place. */
  profile?: string
}

/** The options there are; those of strings take a value. */
export const optionTypes = {
  data: { type: 'string' },
  port: { type: 'string' },
  'share-port': { type: 'string' },
  profile: { type: 'string' },
  background: { type: 'boolean' },
} as const

/**
 * The options of `galley serve` that the desktop takes too, and `--profile`. Chromium's own switches among them are
 * passed over.
 */
export function readOptions(argv: string[], env: NodeJS.ProcessEnv = process.env): DesktopOptions {
  const { values } = parseArgs({
    args: argv.slice(1),
    strict: false,
    options: optionTypes,
  })
  const folder = typeof values.data === 'string' ? values.data : env.GALLEY_DATA
  const port = toPort(values.port)
  const sharePort = toPort(values['share-port'])
  return {
    server: {
      ...(folder ? { dataFolder: path.resolve(folder) } : {}),
      ...(port === undefined ? {} : { port }),
      ...(sharePort === undefined ? {} : { sharePort }),
    },
    ...(typeof values.profile === 'string' ? { profile: path.resolve(values.profile) } : {}),
  }
}

function toPort(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
  return port !== undefined && port <= 65535 ? port : undefined
}
