import { app, shell } from 'electron'
import type { BrowserWindow } from 'electron'
import { choiceChannel } from '../bridge/channels.ts'
import { failurePage } from './failure-page.ts'
import { plainPageUrl } from '../windows/plain-page.ts'
import { describeFailure } from './failure-messages.ts'
import { receive } from '../bridge/ipc.ts'
import type { ServerFailure } from './server-messages.ts'
import { createFailureWindow } from '../windows/window.ts'

export interface FailureNotice {
  /** Says why there is no server, in the window that is open already or in a new one. */
  show(failure: ServerFailure): void
  hide(): void
  isShown(): boolean
  /** Brings the notice to the front; false if none is open. */
  focus(): boolean
}

interface Remedies {
  tryAgain: () => void
  /** Puts a backup in the place of what is there. */
  restore: () => void
}

/** The window that says why Galley can't start, and what a person can do from there. */
export function createFailureNotice(dataFolder: string, { tryAgain, restore }: Remedies): FailureNotice {
  let window: BrowserWindow | undefined
  let url = ''

  receive(
    choiceChannel,
    (from) => from === url,
    (_event, choice) => {
      if (choice === 'try-again') tryAgain()
      else if (choice === 'restore') restore()
      else if (choice === 'reveal') void shell.openPath(dataFolder)
      else app.quit()
    },
  )

  return {
    show(failure) {
      url = plainPageUrl(failurePage(describeFailure(failure, dataFolder), failure.message))
      if (!window) {
        const opened = createFailureWindow()
        window = opened
        opened.on('closed', () => {
          if (window === opened) window = undefined
        })
      }
      // Closed before it has loaded, it has nothing more to say.
      window.loadURL(url).catch(() => {})
    },
    hide: () => window?.close(),
    isShown: () => window !== undefined,
    focus() {
      window?.focus()
      return window !== undefined
    },
  }
}
