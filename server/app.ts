import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { openDataFolder, type ServerFacts } from './data-folder.ts'
import type { Context } from './http/context.ts'
import { servedHosts } from './http/hosts.ts'
import { createLimiters } from './http/limiters.ts'
import { createOwnerApp } from './http/owner/app.ts'
import { loadPageAssets, type PageAssets } from './http/page/assets.ts'
import { createShareApp } from './http/share/app.ts'
import { createLogger } from './logger.ts'
import { createRenderer } from './markdown/index.ts'
import { lockFolder } from './store/folder-lock.ts'
import { OpenError } from './store/open-error.ts'
import { openStore } from './store/store.ts'
import { version } from './version.ts'

export interface GalleyConfig {
  /** Holds the database; made if it isn't there. */
  dataFolder: string
  /** Ports of the two listeners; 0 takes a free one, undefined the usual one or, if that is taken, a free one. */
  port?: number
  sharePort?: number
  /** Where the owner listener listens; loopback unless the owner says otherwise. */
  host?: string
  /** Further names that the listeners may be called by. */
  allowHosts?: readonly string[]
  /** Whether API keys work on the share listener too. */
  apiKeysOnShareListener?: boolean
  /** Holds the built pages, `owner/` and `share/`. */
  assetsFolder?: string
  logLevel?: string
  log?: Logger
  /** For tests: the clock. */
  now?: () => number
}

export interface Galley {
  /** Of the owner listener, without a trailing slash. */
  url: string
  /** Of the share listener, without a trailing slash. */
  shareUrl: string
  /** A one-time link that signs a browser in as the machine's own user. */
  signInUrl(): string
  /** Signs the machine's own user in, for a window that can be given its cookie: the new session's secret. */
  createSession(): string
  /** Stops both listeners, lets running requests end, closes the database. */
  close(): Promise<void>
}

const usualPort = 4780
const usualSharePort = 4781
const loopback = '127.0.0.1'
/** Requests still running after this long, while closing, are cut off. */
const patience = 3_000

/**
 * Starts Galley on a data folder: two listeners on one database.
 * @throws OpenError if the folder is in use, or its database can't be opened
 */
export async function createGalley(config: GalleyConfig): Promise<Galley> {
  const folder = openDataFolder(config.dataFolder)
  const lock = lockFolder(folder.lock, () => `${folder.describeHolder()} Use that one, or stop it first.`)
  const closing: (() => unknown)[] = [() => lock.release()]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }

  try {
    const log = config.log ?? createLogger(config.logLevel ?? 'warn')
    const store = openStore({
      file: folder.database,
      backupBeforeMigration: folder.migrationBackup,
      renderer: version,
      ...(config.now ? { now: config.now } : {}),
    })
    closing.push(() => store.close())
    store.users.owner()
    const markdown = createRenderer()
    closing.push(() => markdown.close())

    const assetsFolder = config.assetsFolder ?? fileURLToPath(new URL(builtAssets, import.meta.url))
    let assets: PageAssets | undefined
    let indexing: NodeJS.Timeout | undefined
    const indexSoon = () => {
      indexing ??= setTimeout(() => {
        indexing = undefined
        if (store.search.index(20)) indexSoon()
      }, 250).unref()
    }
    closing.push(() => clearTimeout(indexing))

    const address: { owner?: number; share?: number } = {}
    const context: Context = {
      store,
      markdown,
      limiters: createLimiters(),
      log,
      version,
      assets: () => (assets ??= loadPageAssets(`${assetsFolder}/share`)),
      shareUrl: () => `http://${loopback}:${address.share}`,
      publish: (event) => {
        if (event.what === 'content') indexSoon()
      },
    }
    indexSoon()

    const allow = config.allowHosts ?? []
    const ownerApp = await createOwnerApp(context, {
      hosts: servedHosts(() => address.owner ?? 0, allow),
      assetsFolder,
    })
    const shareApp = await createShareApp(context, {
      hosts: servedHosts(() => address.share ?? 0, allow),
      assetsFolder,
      apiKeys: config.apiKeysOnShareListener ?? false,
    })
    closing.push(
      () => stop(ownerApp),
      () => stop(shareApp),
    )
    const host = config.host ?? loopback
    address.owner = await listen(ownerApp, host, config.port, usualPort)
    address.share = await listen(shareApp, loopback, config.sharePort, usualSharePort)

    const facts: ServerFacts = {
      url: `http://${host === '0.0.0.0' || host === '::' ? loopback : bracketed(host)}:${address.owner}`,
      shareUrl: context.shareUrl(),
      pid: process.pid,
      version,
    }
    folder.writeServer(facts)
    closing.push(() => folder.removeServer())
    return {
      url: facts.url,
      shareUrl: facts.shareUrl,
      signInUrl: () => `${facts.url}/sign-in#${store.sessions.createTicket(store.users.owner().id)}`,
      createSession: () =>
        store.sessions.exchange(store.sessions.createTicket(store.users.owner().id))!.secret,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

// From the bundle in `out/server/`, or from the sources.
const builtAssets = import.meta.url.endsWith('.ts') ? '../out/renderer' : '../renderer'
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Listens on `port`, or if none is given on the usual one if it is free; the port it got. */
async function listen(
  app: FastifyInstance,
  host: string,
  port: number | undefined,
  usual: number,
): Promise<number> {
  const on = async (one: number) => {
    await app.listen({ host, port: one })
    return (app.server.address() as AddressInfo).port
  }
  try {
    return await on(port ?? usual)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE' && port === undefined) return on(0)
    if (code === 'EADDRINUSE')
      throw new OpenError(
        'port',
        `Port ${port} is taken by another program. Choose another, or 0 for any free one.`,
        error,
      )
    if (code === 'EACCES')
      throw new OpenError(
        'port',
        `Port ${port} may not be used by this account. Choose one above 1023.`,
        error,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OpenError('failed', `This machine has no address ${host} to listen on.`, error)
    throw error
  }
}

async function stop(app: FastifyInstance) {
  const cut = setTimeout(() => app.server.closeAllConnections(), patience)
  await app.close()
  clearTimeout(cut)
}
