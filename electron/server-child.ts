import { utilityProcess } from 'electron'
import path from 'node:path'
import type { ServerChild } from './server-host.ts'

/** Starts the server's own process. Only after the app is ready. */
export const forkServer = (): ServerChild =>
  utilityProcess.fork(path.join(import.meta.dirname, 'server.mjs'), [], {
    serviceName: 'Galley server',
    stdio: 'inherit',
  })
