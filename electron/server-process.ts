// The server's own process. SQLite works synchronously, and the main process has windows to draw.
import { createGalley, defaultDataFolder, type Galley } from '../server/index.ts'
import type { FromServer, ToServer } from './messages.ts'

const say = (message: FromServer) => process.parentPort.postMessage(message)
let galley: Galley | undefined

async function obey(message: ToServer) {
  if (message.type === 'start') {
    galley = await createGalley({ dataFolder: defaultDataFolder(), ...message.options })
    say({ type: 'ready', url: galley.url })
  } else if (message.type === 'sign-in') {
    if (galley) say({ type: 'sign-in', url: galley.signInUrl() })
  } else {
    await galley?.close()
    process.exit(0)
  }
}

// Ctrl-C in a terminal reaches this process too; the main process closes it in its own time.
process.on('SIGINT', () => {})

process.parentPort.on('message', ({ data }) => {
  obey(data as ToServer).catch((error: unknown) => {
    say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  })
})
