// Gives a process what Electron's utility processes have.
import { EventEmitter } from 'node:events'

const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => process.send?.(message) })
process.on('message', (data) => port.emit('message', { data, ports: [] }))
// It never outlives the app.
process.on('disconnect', () => process.exit(0))
Object.defineProperty(process, 'parentPort', { value: port })
Object.assign(process, { type: 'utility' })
for (const name of ['electron', 'chrome'])
  Object.defineProperty(process.versions, name, { value: 'fake', enumerable: true })
