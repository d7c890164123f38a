// The server's own process. SQLite works synchronously, and the main process has windows to draw.
import { createGalley, defaultDataFolder, OpenError, sessionCookie, type Galley } from '../server/index.ts'
import type { FromServer, ServerFailure, ToServer } from './messages.ts'

const say = (message: FromServer) => process.parentPort.postMessage(message)
let galley: Galley | undefined

const explain = (error: unknown): ServerFailure => ({
  reason: error instanceof OpenError ? error.reason : 'failed',
  message: error instanceof Error ? error.message : String(error),
})

async function obey(message: ToServer) {
  if (message.type === 'start') {
    galley = await createGalley({ dataFolder: defaultDataFolder(), ...message.options })
    say({ type: 'ready', url: galley.url, shareUrl: galley.shareUrl })
  } else if (message.type === 'create-session') {
    if (galley) {
      const cookie = { name: sessionCookie, value: galley.createSession() }
      say({ type: 'session', id: message.id, cookie })
    }
  } else {
    await galley?.close()
    process.exit(0)
  }
}

// Ctrl-C in a terminal reaches this process too; the main process closes it in its own time.
process.on('SIGINT', () => {})

process.parentPort.on('message', ({ data }) => {
  const message = data as ToServer
  obey(message).catch((error: unknown) => {
    if (message.type === 'start') return say({ type: 'failed', failure: explain(error) })
    // A server that can't do what it is for is better started anew.
    console.error(error)
    process.exit(1)
  })
})
