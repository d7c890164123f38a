import { app, crashReporter } from 'electron'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { removeOldReports } from './crash-reports.ts'
import { openLogFile } from './log-file.ts'
import { keepMainLog, logLine } from './main-log.ts'

/** Where in a profile logs and crash reports are. */
export const logsFolder = (profile: string) => path.join(profile, 'logs')
export const serverLog = (profile: string) => path.join(logsFolder(profile), 'server.log')

/**
 * Keeps, on this machine only, what is needed to find out why something went wrong: logs, and reports of crashes of
 * every process. Before the app is ready, so that no process starts unwatched.
 */
export function keepDiagnostics(profile: string): void {
  const crashes = path.join(logsFolder(profile), 'crashes')
  mkdirSync(crashes, { recursive: true, mode: 0o700 })
  const log = openLogFile(path.join(logsFolder(profile), 'main.log'))
  const { platform, arch, versions } = process
  log.write(
    logLine(30, [`Galley ${app.getVersion()} starts (Electron ${versions.electron}, ${platform} ${arch}).`]),
  )
  keepMainLog(log)
  app.setPath('crashDumps', crashes)
  crashReporter.start({ uploadToServer: false })
  const tidy = () => {
    try {
      removeOldReports(crashes)
    } catch (error) {
      console.error('Old crash reports could not be removed.', error)
    }
  }
  tidy()
  app.on('render-process-gone', tidy)
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    // The server's ends are told where they are mended.
    if (reason !== 'clean-exit')
      console.error(`A process has gone (${name ?? type}, ${reason}, ${exitCode}).`)
    tidy()
  })
}
