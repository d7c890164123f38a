import type { Session } from './sessions.ts'

export interface WebPreferences {
  preload?: string
  partition?: string
  session?: Session
  contextIsolation?: boolean
  sandbox?: boolean
  nodeIntegration?: boolean
  nodeIntegrationInSubFrames?: boolean
  nodeIntegrationInWorker?: boolean
  webSecurity?: boolean
  webviewTag?: boolean
  spellcheck?: boolean
}

/** What Electron's windows are by default, and what this one can do: nothing less confined. */
export function confined(asked: WebPreferences) {
  const preferences = {
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: true,
    ...asked,
  }
  const { contextIsolation, sandbox, webSecurity, ...rest } = preferences
  if (!contextIsolation || !sandbox || !webSecurity)
    throw new Error('the fake has sandboxed, isolated pages only (sandbox, contextIsolation, webSecurity)')
  if (rest.nodeIntegration || rest.nodeIntegrationInSubFrames || rest.nodeIntegrationInWorker)
    throw new Error('the fake has pages without Node only')
  return preferences
}
