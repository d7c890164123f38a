import { app, shell } from 'electron'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { creditsChannel } from '../bridge/channels.ts'
import { answer } from '../bridge/ipc.ts'

/** Opens Chromium's own list of licences, which lies beside Electron's program or, on macOS, among the app's resources. */
export function showCreditsTo(isOwn: (url: string) => boolean): void {
  answer(creditsChannel, isOwn, async () => {
    const file = [path.dirname(app.getPath('exe')), process.resourcesPath]
      .map((folder) => path.join(folder, 'LICENSES.chromium.html'))
      .find((candidate) => existsSync(candidate))
    if (file === undefined) return 'The file isn’t where Electron is installed.'
    return (await shell.openPath(file)) || null
  })
}
