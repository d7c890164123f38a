import { utilityProcess } from 'electron'
import path from 'node:path'
import type { FromServer, ServerOptions, ToServer } from './messages.ts'

export interface ServerHost {
  /** The owner's address. */
  url: string
  /** A fresh one-time sign-in link. */
  signInUrl(): Promise<string>
  /** Ends the server after it has closed its database. */
  close(): Promise<void>
}

/**
 * Starts the server in a process of its own.
 * Rejects with a message for people when it can't start; calls `onGone` if it ends by itself later.
 */
export async function startServer(options: ServerOptions, onGone: () => void): Promise<ServerHost> {
  const child = utilityProcess.fork(path.join(import.meta.dirname, 'server.mjs'), [], {
    serviceName: 'Galley server',
    stdio: 'inherit',
  })
  const tell = (message: ToServer) => child.postMessage(message)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const waiting: ((url: string) => void)[] = []
  let closing = false

  const ready = new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromServer) => {
      if (message.type === 'ready') resolve(message.url)
      else if (message.type === 'failed') reject(new Error(message.message))
      else waiting.shift()?.(message.url)
    })
    void exited.then(() => reject(new Error('The server ended before it was ready.')))
  })
  tell({ type: 'start', options })

  const url = await ready.catch((error: unknown) => {
    child.kill()
    throw error
  })
  void exited.then(() => {
    if (!closing) onGone()
  })
  return {
    url,
    signInUrl: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        tell({ type: 'sign-in' })
      }),
    close: async () => {
      closing = true
      tell({ type: 'close' })
      await exited
    },
  }
}
