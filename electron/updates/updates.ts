import type { AppUpdater } from 'electron-updater'
import type { MenuEntry } from '../menus/menu-entry.ts'
import type { WindowNotices } from '../notifications/notices.ts'
import type { Preferences } from '../preferences/preferences.ts'
import type { UpdateSource } from './update-source.ts'

/** The first look waits until the start is long over. */
const firstLook = 2 * 60_000
const nextLook = 24 * 60 * 60_000
const notice = 'update'

export interface UpdatesOptions {
  /** Undefined where there are none to be had. */
  source: UpdateSource | undefined
  /** Loaded when it is first needed. */
  load: (fetches: boolean) => Promise<Pick<AppUpdater, 'checkForUpdates' | 'quitAndInstall' | 'once'>>
  notices: Pick<WindowNotices, 'say' | 'withdraw'>
  preferences: Pick<Preferences, 'find' | 'set'>
  /** Says something to a person who asked. */
  tell: (message: string, detail: string) => unknown
  openOutside: (page: string) => void
  quit: () => void
  /** Lets the one that is started next be the only one. */
  makeWay: () => void
  /** It was switched on or off. */
  onChange: () => void
}

export interface AppUpdates {
  /** Looks now and then from now on, unless that is switched off. */
  start(): void
  /** Whether they are looked for. */
  find(): 'on' | 'off' | 'none'
  set(isOn: boolean): void
  /** What the menu offers. */
  entries(): MenuEntry[]
  /** Ends the app after everything is closed: into the new version, if a person wished for that. */
  leave(): void
}

/** Looks for newer versions, quietly. Nothing is restarted that nobody asked to have restarted. */
export function createUpdates(options: UpdatesOptions): AppUpdates {
  const { source, notices, preferences, tell, openOutside, quit } = options
  let updater: Awaited<ReturnType<UpdatesOptions['load']>> | undefined
  let looking: Promise<void> | undefined
  let told: string | undefined
  let isRestarting = false
  const isOn = () => preferences.find('updates') ?? true

  function look(from: UpdateSource, asked: boolean): Promise<void> {
    looking ??= lookOnce(from, asked).finally(() => (looking = undefined))
    return looking
  }

  async function lookOnce(from: UpdateSource, asked: boolean) {
    let found
    try {
      updater ??= await options.load(!from.isManaged)
      found = await updater.checkForUpdates()
    } catch (error) {
      console.warn('Updates could not be looked for.', error)
      if (asked) tell('Galley couldn’t look for updates', 'Try again when this machine is online.')
      return
    }
    if (!found?.isUpdateAvailable) {
      if (asked) tell('This is the newest Galley', 'There is no later version.')
      return
    }
    const { version } = found.updateInfo
    if (from.isManaged) return sayWhere(from, version, asked, 'Update it as you update your system.')
    if (asked) notices.say({ id: notice, kind: 'progress', text: `Fetching Galley ${version}…` })
    try {
      await found.downloadPromise
    } catch (error) {
      console.warn('An update could not be fetched.', error)
      notices.withdraw(notice)
      return sayWhere(from, version, asked, 'It couldn’t be fetched by itself.')
    }
    offerRestart(version, asked)
  }

  /** Once for each version, however often the app is started. */
  function sayWhere({ page }: UpdateSource, version: string, asked: boolean, detail: string) {
    if (!asked && preferences.find('toldUpdate') === version) return
    preferences.set('toldUpdate', version)
    notices.say({ id: notice, kind: 'offer', text: `Galley ${version} is out`, detail, action: 'Show' }, () =>
      openOutside(page),
    )
  }

  function offerRestart(version: string, asked: boolean) {
    if (!asked && told === version) return
    told = version
    const offer = {
      id: notice,
      kind: 'offer',
      text: `Galley ${version} is ready`,
      detail: 'Restart when you like; otherwise it is there when you start Galley next.',
      action: 'Restart',
    } as const
    notices.say(offer, () => {
      isRestarting = true
      quit()
    })
  }

  function set(on: boolean) {
    preferences.set('updates', on)
    options.onChange()
  }

  return {
    find: () => (source ? (isOn() ? 'on' : 'off') : 'none'),
    set,
    start() {
      if (!source) return
      const now = () => {
        if (isOn()) void look(source, false)
      }
      setTimeout(now, firstLook)
      setInterval(now, nextLook)
    },
    entries: () =>
      source
        ? [
            { label: 'Check for Updates…', run: () => void look(source, true) },
            {
              label: 'Check Automatically',
              kind: 'checkbox',
              checked: isOn,
              run: () => set(!isOn()),
            },
          ]
        : [],
    leave() {
      if (!isRestarting || !updater) return quit()
      // If it can't be put in place, the app ends all the same.
      updater.once('error', quit)
      options.makeWay()
      updater.quitAndInstall(true, true)
    },
  }
}
