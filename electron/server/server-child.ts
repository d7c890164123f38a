import { utilityProcess } from 'electron'
import path from 'node:path'
import type { ServerChild } from './server-host.ts'

/** Starts the server's own process, which logs to the file. Only after the app is ready. */
export const forkServer = (logFile: string): ServerChild =>
  utilityProcess.fork(path.join(import.meta.dirname, 'server.mjs'), [logFile], {
    serviceName: 'Galley server',
    stdio: 'inherit',
  })
