// The server's own process. SQLite works synchronously, and the main process has windows to draw.
import { createGalley, createLogger, defaultDataFolder, OpenError, type Galley } from '../../server/index.ts'
import { openLogFile } from '../diagnostics/log-file.ts'
import type { FromServer, ServerFailure, ToServer } from './server-messages.ts'
import { askForSecrets } from '../secrets/secret-request.ts'

/** On standard error as ever, and kept in the file that the main process names. */
const file = process.argv[2] === undefined ? undefined : openLogFile(process.argv[2])
const log = createLogger('info', {
  write(line) {
    process.stderr.write(line)
    file?.write(line)
  },
})
const say = (message: FromServer) => process.parentPort.postMessage(message)
const secrets = askForSecrets((id, request) => say({ type: 'secret', id, request }))
let galley: Galley | undefined

const explain = (error: unknown): ServerFailure => ({
  reason: error instanceof OpenError ? error.reason : 'failed',
  message: error instanceof Error ? error.message : String(error),
})

async function obey(message: ToServer) {
  if (message.type === 'start') {
    galley = await createGalley({
      dataFolder: defaultDataFolder(),
      ...message.options,
      secrets,
      log,
      onMigration: (progress) => say({ type: 'migrating', progress }),
      onSharing: (sharing) => say({ type: 'sharing', sharing }),
      onFeedback: (feedback) => say({ type: 'feedback', feedback }),
    })
    log.info('the server is ready')
    say({ type: 'ready', url: galley.url, shareUrl: galley.shareUrl })
  } else if (message.type === 'create-session') {
    if (galley) {
      const cookie = galley.createSession()
      say({ type: 'session', id: message.id, cookie })
    }
  } else if (message.type === 'set-sharing') {
    if (galley) {
      let done = true
      try {
        await galley.setSharing({ stopped: message.stopped })
      } catch (error) {
        // A disk that is full, perhaps. Nothing would come of starting anew, and people are reading.
        log.error(error, 'sharing could not be stopped or started')
        done = false
      }
      say({ type: 'sharing-set', id: message.id, done })
    }
  } else if (message.type === 'secret') {
    secrets.hear(message.id, message.outcome)
  } else if (message.type === 'wake') {
    galley?.wake()
  } else {
    await galley?.close()
    process.exit(0)
  }
}

// Ctrl-C in a terminal reaches this process too; the main process closes it in its own time.
process.on('SIGINT', () => {})

// Without a server there is nothing that could go on.
process.on('uncaughtException', (error) => {
  if (galley?.survive(error)) return
  log.fatal({ err: error }, 'the server can’t go on')
  process.exit(1)
})

process.parentPort.on('message', ({ data }) => {
  const message = data as ToServer
  obey(message).catch((error: unknown) => {
    log.error({ err: error, during: message.type }, 'the server can’t do what it is asked')
    if (message.type === 'start') return say({ type: 'failed', failure: explain(error) })
    // A server that can't do what it is for is better started anew.
    process.exit(1)
  })
})
