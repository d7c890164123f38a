// The process that backs up or restores, once: both may take their time, and the server goes on answering meanwhile.
import { backUpTo, restoreFrom } from '../../server/index.ts'
import { giveWay } from '../../server/platform/give-way.ts'
import type { FromBackup, ToBackup } from './backup-messages.ts'

const say = (message: FromBackup) => process.parentPort.postMessage(message)
const mayGoOn = Promise.withResolvers<void>()

/** Each message wakes the main process; a hundred of them tell as much as a thousand. */
function progress() {
  let last = 0
  return (done: number, of: number) => {
    if (done < of && done - last < of / 100) return
    last = done
    say({ type: 'progress', done, of })
  }
}

async function obey(message: ToBackup) {
  if (message.type === 'go on') return mayGoOn.resolve()
  if (message.type === 'call off') return mayGoOn.reject(new Error(message.why))
  const { dataFolder, file } = message
  if (message.type === 'back up') {
    giveWay()
    const backup = await backUpTo(dataFolder, file, { replace: true, onProgress: progress() })
    say({ type: 'backed up', backup })
  } else {
    const restoration = await restoreFrom(dataFolder, file, {
      onRead() {
        say({ type: 'read' })
        return mayGoOn.promise
      },
      onProgress: progress(),
    })
    say({ type: 'restored', restoration })
  }
}

process.on('SIGINT', () => {})
process.parentPort.on('message', ({ data }) => {
  obey(data as ToBackup).catch((error: unknown) =>
    say({ type: 'refused', message: error instanceof Error ? error.message : String(error) }),
  )
})
