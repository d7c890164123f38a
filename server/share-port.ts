import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { invalid } from './contract/errors.ts'
import { isTaken, listen, loopback } from './listen.ts'
import type { Problems } from './problems.ts'
import { writeFileAtomicSync } from './platform/atomic-file.ts'

export const usualSharePort = 4781

export interface SharePortOptions {
  app: FastifyInstance
  /** What was asked for when Galley was started; 0 for any. */
  asked: number | undefined
  /** Whether anybody may hold a link already. */
  hasLinks: boolean
  /** Holds the port that the links had last. */
  file: string
  problems: Problems
  /** The listener is there: at once, or once the port was free. */
  onListening: () => Promise<void>
  onFailure: (error: unknown) => void
  /** How often to look whether a port that was taken is free, in ms. */
  every?: number
}

export type SharePort = Awaited<ReturnType<typeof openSharePort>>

/**
 * The share listener's port. Links hold it, so once there is one the port stays what it was: if another program has it,
 * Galley says so, waits until it is free, and takes another only on a person's word: asked for in the app, or at the start.
 * @throws OpenError if it was asked for a port that it can't have
 */
export async function openSharePort(options: SharePortOptions) {
  const { app, asked, hasLinks, file, problems, onListening, onFailure, every = 3_000 } = options
  const kept = hasLinks ? readPort(file) : undefined
  let port = asked ?? kept ?? usualSharePort
  /** Asked for by name or not: where links are, another port is no help. */
  const isWaitedFor = hasLinks && port === (kept ?? usualSharePort)
  let isListening = false
  let isClosed = false
  let trying: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function open(wanted: number, orAny = false) {
    port = await listen(app, loopback, wanted, orAny ? [0] : [])
    isListening = true
    clearTimeout(timer)
    problems.clear('share port taken')
    try {
      writeFileAtomicSync(file, JSON.stringify({ port }))
    } catch (error) {
      // The links work all the same. A full disk has words of its own.
      onFailure(error)
    }
    await onListening()
  }
  function waitUntilFree() {
    problems.set('share port taken', explain(port))
    timer = setTimeout(() => {
      trying = open(port)
        .catch((error: unknown) => {
          if (isListening || !isTaken(error)) onFailure(error)
          if (!isListening && !isClosed) waitUntilFree()
        })
        .finally(() => (trying = undefined))
    }, every).unref()
  }

  return {
    port: () => port,
    isListening: () => isListening,
    /** Where the links were, if another port was asked for at the start. */
    movedFrom: () => (kept === undefined || asked === undefined || asked === kept ? undefined : kept),
    /** Listens, or begins to wait for the port. */
    async start() {
      if (!isWaitedFor) return open(port, asked === undefined)
      try {
        await open(port)
      } catch (error) {
        if (isListening || !isTaken(error)) throw error
        waitUntilFree()
      }
    },
    /** Takes another port, on a person's word. */
    async move(wanted: number): Promise<number> {
      await trying
      if (isListening)
        throw invalid(`The share links open at port ${port} already; nothing keeps them from it.`)
      clearTimeout(timer)
      try {
        await open(wanted)
      } catch (error) {
        if (isListening || !isTaken(error)) throw error
        waitUntilFree()
        throw invalid((error as Error).message)
      }
      return port
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await trying
    },
  }
}

const explain = (port: number) =>
  `Another program has port ${port}, where your share links open. Stop that program, and Galley takes the port by itself. Or have Galley take another one (“--share-port”); links that were sent before may then have to be sent again.`

function readPort(file: string): number | undefined {
  try {
    const { port } = JSON.parse(readFileSync(file, 'utf8')) as { port?: unknown }
    return Number.isInteger(port) && Number(port) > 0 && Number(port) <= 65_535 ? Number(port) : undefined
  } catch {
    return undefined
  }
}
