// With electron-updater itself, and a feed on this machine. Only Electron’s part of it is a fake.
import { AppImageUpdater, type CancellationToken } from 'electron-updater'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DesktopNotice } from '../../server/contract/desktop.ts'
import type { ActionEntry } from '../menus/menu-entry.ts'
import { restrain } from './updater.ts'
import { createUpdates } from './updates.ts'

// What electron-updater does over Electron's net module is done over Node's.
const load = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
interface Download {
  headers: object
  cancellationToken: CancellationToken
}
const { configureRequestOptions, configureRequestUrl } = load('builder-util-runtime')
const { NodeHttpExecutor } = load('builder-util')
class HttpExecutor extends NodeHttpExecutor {
  download(url: URL, destination: string, options: Download): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request = { headers: options.headers }
      configureRequestUrl(url, request)
      configureRequestOptions(request)
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination))
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }
}

let folder: string
let feed: Server
let files: Record<string, string | Buffer>
let asked: { url: string; headers: IncomingHttpHeaders }[]

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-feed-'))
  vi.stubEnv('APPIMAGE', path.join(folder, 'Galley.AppImage'))
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  writeFileSync(path.join(folder, 'Galley.AppImage'), 'the old one')
  files = {}
  asked = []
  feed = createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers })
    const found = files[url.replace(/\?.*/, '')]
    response.writeHead(found === undefined ? 404 : 200).end(found)
  })
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  feed.closeAllConnections()
  feed.close()
  rmSync(folder, { recursive: true, force: true })
})

const list = process.arch === 'arm64' ? '/latest-linux-arm64.yml' : '/latest-linux.yml'
/** Publishes a version; `content` is what is fetched for it, whatever the list says of it. */
function publish(version: string, content: string = `Galley ${version}`) {
  const said = `Galley ${version}`
  const sha512 = createHash('sha512').update(said).digest('base64')
  const name = `Galley-${version}.AppImage`
  files[list] =
    `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${said.length}\n`
  files[`/${name}`] = content
}

/** electron-updater as it would be in Galley 1.0.0. */
function updaterOf(fetches: boolean) {
  const adapter = {
    version: '1.0.0',
    name: 'Galley',
    isPackaged: true,
    appUpdateConfigPath: path.join(folder, 'app-update.yml'),
    userDataPath: path.join(folder, 'profile'),
    baseCachePath: path.join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    quit() {},
    relaunch() {},
    onQuit() {},
  }
  const { port } = feed.address() as AddressInfo
  writeFileSync(adapter.appUpdateConfigPath, 'updaterCacheDirName: galley-updater\n')
  const updater = new AppImageUpdater(undefined, adapter)
  Object.assign(updater, { httpExecutor: new HttpExecutor() })
  updater.setFeedURL({ provider: 'generic', url: `http://127.0.0.1:${port}` })
  return restrain(updater, fetches)
}

/** Elsewhere the feed has other names, and electron-updater other ways. */
const onLinux = test.skipIf(process.platform !== 'linux')

const page = 'https://github.com/owner/galley/releases/latest'

interface Asked {
  isManaged?: boolean
  kept?: Record<string, unknown>
}

function updatesOf({ isManaged = false, kept = {} }: Asked = {}) {
  const said: DesktopNotice[] = []
  const acts: (() => void)[] = []
  const heard = {
    told: [] as string[],
    opened: [] as string[],
    quits: 0,
    withdrawn: 0,
    restarts: [] as unknown[],
  }
  const loaded: ReturnType<typeof updaterOf>[] = []
  const updates = createUpdates({
    source: { isManaged, page },
    load: async (fetches) => {
      const updater = updaterOf(fetches)
      updater.quitAndInstall = (...how) => void heard.restarts.push(how)
      loaded.push(updater)
      return updater
    },
    notices: {
      say(notice, act = () => {}) {
        said.push(notice)
        acts.push(act)
      },
      withdraw: () => void heard.withdrawn++,
    },
    preferences: {
      find: (name: string) => kept[name] as never,
      set: (name: string, value: unknown) => void (kept[name] = value),
    },
    tell: (message) => void heard.told.push(message),
    openOutside: (address) => void heard.opened.push(address),
    quit: () => void heard.quits++,
    onChange() {},
    makeWay() {},
  })
  const [check, automatic] = updates.entries() as [ActionEntry, ActionEntry]
  return { updates, check: () => check.run(undefined), automatic, said, acts, heard, kept, loaded }
}

onLinux('a newer version is fetched, and the person restarts into it when they like', async () => {
  publish('1.1.0')
  const { updates, check, said, acts, heard } = updatesOf()
  check()
  await vi.waitFor(() =>
    expect(said.at(-1)).toMatchObject({ text: 'Galley 1.1.0 is ready', action: 'Restart' }),
  )
  expect(said[0]).toMatchObject({ kind: 'progress' })
  const fetched = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((one) =>
    one.endsWith('1.1.0.AppImage'),
  )
  expect(readFileSync(path.join(folder, fetched!), 'utf8')).toBe('Galley 1.1.0')
  // Nothing happens by itself: an end that nobody asked to begin anew is an end.
  expect(heard).toMatchObject({ quits: 0, restarts: [] })
  updates.leave()
  expect(heard).toMatchObject({ quits: 1, restarts: [] })
  acts.at(-1)!()
  expect(heard).toMatchObject({ quits: 2, restarts: [] })
  updates.leave()
  expect(heard).toMatchObject({ quits: 2, restarts: [[true, true]] })
})

onLinux('a restart that can’t be done is an end all the same', async () => {
  publish('1.1.0')
  const { updates, check, said, acts, heard, loaded } = updatesOf()
  check()
  await vi.waitFor(() => expect(said.at(-1)).toMatchObject({ action: 'Restart' }))
  acts.at(-1)!()
  updates.leave()
  loaded[0]!.emit('error', new Error('the disk is full'))
  expect(heard.quits).toBe(2)
})

onLinux('what is asked tells nothing about who asks', async () => {
  publish('1.1.0')
  const { check, said } = updatesOf()
  check()
  await vi.waitFor(() => expect(said.at(-1)).toMatchObject({ action: 'Restart' }))
  const id = readFileSync(path.join(folder, 'profile', '.updaterId'), 'utf8')
  expect(asked.length).toBeGreaterThan(1)
  for (const { url, headers } of asked) expect(url + JSON.stringify(headers)).not.toContain(id)
})

onLinux('what isn’t what was published is not put in place', async () => {
  publish('1.1.0', 'something else')
  const { updates, check, said, acts, heard } = updatesOf()
  check()
  await vi.waitFor(() => expect(said.at(-1)).toMatchObject({ text: 'Galley 1.1.0 is out', action: 'Show' }))
  acts.at(-1)!()
  expect(heard.opened).toEqual([page])
  updates.leave()
  expect(heard.restarts).toEqual([])
})

onLinux('where the system’s packages bring it, it is only told, once for each version', async () => {
  publish('1.1.0')
  const kept = {}
  const first = updatesOf({ isManaged: true, kept })
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  try {
    first.updates.start()
    vi.advanceTimersByTime(2 * 60_000)
  } finally {
    vi.useRealTimers()
  }
  await vi.waitFor(() => expect(first.said).toMatchObject([{ text: 'Galley 1.1.0 is out', action: 'Show' }]))
  expect(asked.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([list])
  const again = updatesOf({ isManaged: true, kept })
  again.check()
  await vi.waitFor(() => expect(again.said).toHaveLength(1))
  expect(kept).toEqual({ toldUpdate: '1.1.0' })
})

onLinux.each(['1.0.0', '0.9.0'])('of %s nothing is said but to who asks', async (version) => {
  publish(version)
  const { check, said, heard } = updatesOf()
  check()
  await vi.waitFor(() => expect(heard.told).toEqual(['This is the newest Galley']))
  expect(said).toEqual([])
})

test('a feed that doesn’t answer is no news, but to who asks', async () => {
  const { check, said, heard } = updatesOf()
  check()
  await vi.waitFor(() => expect(heard.told).toEqual(['Galley couldn’t look for updates']))
  expect(said).toEqual([])
})

test('nothing is asked at the start, nor while it is switched off; then two minutes later, and daily', async () => {
  publish('1.0.0')
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  try {
    const { updates, automatic, loaded } = updatesOf()
    expect(automatic.checked!()).toBe(true)
    updates.start()
    vi.advanceTimersByTime(2 * 60_000 - 1)
    expect(loaded).toEqual([])
    automatic.run(undefined)
    expect(automatic.checked!()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(loaded).toEqual([])
    automatic.run(undefined)
    vi.advanceTimersByTime(24 * 60 * 60_000)
    await vi.waitFor(() => expect(loaded).toHaveLength(1))
  } finally {
    vi.useRealTimers()
  }
})

test('where there are no updates nothing is offered, and nothing ever loaded', () => {
  const load = vi.fn()
  const quit = vi.fn()
  const rest = {
    notices: { say() {}, withdraw() {} },
    tell() {},
    openOutside() {},
    quit,
    onChange() {},
    makeWay() {},
  }
  const preferences = { find: () => undefined, set() {} }
  const updates = createUpdates({ source: undefined, load, preferences, ...rest })
  vi.useFakeTimers()
  updates.start()
  vi.advanceTimersByTime(48 * 60 * 60_000)
  vi.useRealTimers()
  expect(updates.entries()).toEqual([])
  expect(load).not.toHaveBeenCalled()
  updates.leave()
  expect(quit).toHaveBeenCalledOnce()
})
