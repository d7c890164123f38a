import { BrowserWindow, dialog } from 'electron'
import { chosenProgram, dataFolder as filesOf } from '../../server/data-folder.ts'
import { chooseProgramChannel } from '../bridge/channels.ts'
import { answer } from '../bridge/ipc.ts'

/**
 * Lets the person choose the cloudflared that tunnels take. A page can only ask for the system's dialog, or for none of
 * their own: no page names a program.
 */
export function offerProgram({ isOwn, dataFolder }: { isOwn: (url: string) => boolean; dataFolder: string }) {
  const program = chosenProgram(filesOf(dataFolder).chosenCloudflared)
  answer(chooseProgramChannel, isOwn, async ({ sender }, own): Promise<boolean> => {
    if (!own) {
      program.choose('')
      return true
    }
    const window = BrowserWindow.fromWebContents(sender)
    const options: Electron.OpenDialogOptions = {
      title: 'Choose cloudflared',
      buttonLabel: 'Use this program',
      properties: ['openFile', 'dontAddToRecent'],
      ...(process.platform === 'win32' ? { filters: [{ name: 'Programs', extensions: ['exe'] }] } : {}),
    }
    const { filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options))
    const [file] = filePaths
    if (file !== undefined) program.choose(file)
    return file !== undefined
  })
}
