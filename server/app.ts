import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { openDataFolder, type ServerFacts } from './data-folder.ts'
import type { DocumentEvent } from './contract/events.ts'
import type { Secrets } from './contract/secrets.ts'
import type { TunnelSetup, TunnelStatus } from './contract/tunnel.ts'
import { bracketed } from './domain/host.ts'
import { tellHost, type HostListeners } from './host-events.ts'
import { sessionCookieOf } from './http/caller.ts'
import type { Context } from './http/context.ts'
import { servedHosts } from './http/hosts.ts'
import { createLimiters } from './http/limiters.ts'
import { createOpeningLog } from './http/opening-log.ts'
import { createOwnerApp } from './http/owner/app.ts'
import { remoteAddress } from './http/remote-address.ts'
import { createLive } from './live/live.ts'
import { loadPageAssets, type PageAssets } from './http/page/assets.ts'
import { createShareApp } from './http/share/app.ts'
import { setSharing } from './http/sharing.ts'
import { createLogger } from './logger.ts'
import { createRenderer } from './markdown/index.ts'
import { lockFolder } from './store/folder-lock.ts'
import { openSecretsFile } from './secrets-file.ts'
import { OpenError } from './store/open-error.ts'
import { createStop } from './stopping.ts'
import { openStore } from './store/store.ts'
import { createInstallation } from './tunnel/cloudflared/installation.ts'
import type { Release } from './tunnel/cloudflared/release.ts'
import { createPublicWay } from './tunnel/public-way.ts'
import { version } from './version.ts'

export interface GalleyConfig extends HostListeners {
  /** Holds the database; made if it isn't there. */
  dataFolder: string
  /** Ports of the two listeners; 0 takes a free one, undefined the usual one or, if that is taken, a free one. */
  port?: number
  sharePort?: number
  /** Taken instead of the owner listener's usual port if it is free. */
  preferredPort?: number
  /** Where the owner listener listens; loopback unless the owner says otherwise. */
  host?: string
  /** Where a TLS proxy of the owner's lets people reach the owner listener; an origin, without a trailing slash. */
  ownerUrl?: string
  /** Further names that the listeners may be called by. */
  allowHosts?: readonly string[]
  /** Whether API keys work on the share listener too. */
  apiKeysOnShareListener?: boolean
  /** Holds the built pages, `owner/` and `share/`. */
  assetsFolder?: string
  logLevel?: string
  /** How people elsewhere reach the share listener; goes before what was chosen in the app, and isn't kept. */
  tunnel?: TunnelSetup
  /** For tests: another cloudflared to download than the one that is known. */
  cloudflared?: Release
  /** What keeps secrets; a file of the data folder if nothing better is there. */
  secrets?: Secrets
  log?: Logger
  /** For tests: the clock. */
  now?: () => number
}

export interface Galley {
  /** Of the owner listener, without a trailing slash: where a browser is to open it. */
  url: string
  /** Of the share listener, without a trailing slash. */
  shareUrl: string
  /** Where share links open for people elsewhere once that works, as far as that is set up and known beforehand. */
  publicAddress(): string | null
  /** A one-time link that signs a browser in as the machine's own user. */
  signInUrl(): string
  /** Signs the machine's own user in, for a window that can be given its cookie, which holds a secret. */
  createSession(): { name: string; value: string }
  /** Has every link of the machine's own user open nothing, or be again what it was. */
  setSharing(wanted: { stopped: boolean }): void
  /** The machine was asleep: looks at once whether people elsewhere still get here. */
  wake(): void
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
    const errors: unknown[] = []
    for (const step of closing.splice(0).reverse())
      try {
        await step()
      } catch (error) {
        // What is behind it is closed all the same: the listeners, the database, the folder's lock.
        errors.push(error)
      }
    if (errors.length > 0)
      throw new AggregateError(errors, `Galley could not close all: ${errors.join('; ')}`)
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
    store.shareLinks.forgetRevoked()
    const markdown = createRenderer()
    closing.push(() => markdown.close())

    const assetsFolder = config.assetsFolder ?? fileURLToPath(new URL(builtAssets, import.meta.url))
    let assets: PageAssets | undefined
    const told: { facts?: ServerFacts } = {}
    let indexing: NodeJS.Timeout | undefined
    // Not before the writing pauses: a document that is typed in would be indexed again and again. A search that
    // comes earlier catches up by itself.
    const indexSoon = () => {
      if (indexing) return void indexing.refresh()
      indexing = setTimeout(() => {
        indexing = undefined
        if (store.search.index(20)) indexSoon()
      }, 500).unref()
    }
    closing.push(() => clearTimeout(indexing))

    const outside = tellHost(store, config)
    closing.push(() => outside.stop())

    const address: { owner?: number; share?: number } = {}
    const localShareUrl = () => `http://${loopback}:${address.share}`
    const tellTunnel = (status: TunnelStatus) => {
      const { state, provider, public_address, share_url, reason, message } = status
      try {
        if (told.facts)
          folder.writeServer({
            ...told.facts,
            tunnel: { state, provider, public_address, share_url, reason, message },
          })
      } catch (error) {
        // The tunnel is what it is, whether that can be written down or not.
        log.error(error, 'the state of the tunnel could not be written')
      }
    }
    const way = createPublicWay({
      file: folder.tunnel,
      cloudflared: createInstallation(folder.cloudflared, config.cloudflared),
      ...(config.tunnel ? { said: config.tunnel } : {}),
      port: () => address.share ?? 0,
      localUrl: localShareUrl,
      secrets: config.secrets ?? openSecretsFile(folder.secrets),
      onStatus: tellTunnel,
    })
    const live = createLive()
    const tellOutside = (tell: () => void) => {
      try {
        tell()
      } catch (error) {
        // What was committed stays so, whatever whoever is told makes of it.
        log.error(error, 'the host could not be told')
      }
    }
    const publish = (event: DocumentEvent) =>
      store.afterCommit(() => {
        live.publish(event)
        if (event.what === 'content') indexSoon()
        tellOutside(() => outside.publish(event))
      })
    const publishSharing = (userId: string) =>
      store.afterCommit(() => {
        live.publishSharing(userId)
        tellOutside(() => outside.publishSharing())
      })
    const openings = createOpeningLog({
      store,
      publish,
      addressOf: (arrived) => remoteAddress({ tunnel: way }, arrived),
      onFailure: (error) => log.warn(error, 'when links were opened could not be kept'),
    })
    closing.push(() => openings.close())
    const context: Context = {
      store,
      markdown,
      limiters: createLimiters(),
      log,
      version,
      sessionCookie: sessionCookieOf(realpathSync(config.dataFolder)),
      components: componentsOf(process.versions, store.sqlite),
      assets: () => (assets ??= loadPageAssets(`${assetsFolder}/share`)),
      shareUrl: () => way.status().share_url,
      tunnel: way,
      live,
      openings,
      publish,
      publishSharing,
    }
    indexSoon()

    const allow = config.allowHosts ?? []
    const ownerApp = await createOwnerApp(context, {
      hosts: servedHosts(
        () => address.owner ?? 0,
        config.ownerUrl === undefined ? allow : [...allow, new URL(config.ownerUrl).host],
        undefined,
        config.host,
      ),
      assetsFolder,
    })
    const shareApp = await createShareApp(context, {
      hosts: servedHosts(() => address.share ?? 0, allow, way.host),
      assetsFolder,
      apiKeys: config.apiKeysOnShareListener ?? false,
    })
    const stops = [ownerApp, shareApp].map((app) => createStop(app, patience))
    closing.push(
      // At once: an owner's page whose connection has ended comes back to whichever listener is still there.
      () => Promise.all(stops.map((stop) => stop())),
      // Before the listeners stop, which wait for every connection.
      () => live.close(),
    )
    const host = config.host ?? loopback
    const preferred = config.preferredPort === undefined ? [] : [config.preferredPort]
    address.owner = await listen(ownerApp, host, config.port, [...preferred, usualPort])
    address.share = await listen(shareApp, loopback, config.sharePort, [usualSharePort])

    const facts: ServerFacts = {
      url: `http://${host === '0.0.0.0' || host === '::' ? loopback : bracketed(host)}:${address.owner}`,
      shareUrl: localShareUrl(),
      pid: process.pid,
      version,
    }
    folder.writeServer(facts)
    told.facts = facts
    closing.push(() => folder.removeServer())
    closing.push(() => way.close())
    await way.resume()
    outside.start()
    const ownerUrl = config.ownerUrl ?? facts.url
    return {
      url: ownerUrl,
      shareUrl: facts.shareUrl,
      publicAddress: () => (way.status().state === 'off' ? null : way.status().public_address),
      signInUrl: () => `${ownerUrl}/sign-in#${store.sessions.createTicket(store.users.owner().id)}`,
      createSession: () => ({
        name: context.sessionCookie,
        value: store.sessions.exchange(store.sessions.createTicket(store.users.owner().id))!.secret,
      }),
      setSharing: (wanted) => setSharing(context, store.users.owner().id, wanted),
      wake: () => way.wake(),
      close,
    }
  } catch (error) {
    // Why it can't be started says more than what else fails then.
    await close().catch(() => undefined)
    throw error
  }
}

/** Electron's own, with Chromium's, come where the desktop runs the server. */
const componentsOf = ({ electron, chrome, node }: NodeJS.ProcessVersions, sqlite: string) =>
  Object.entries({ Electron: electron, Chromium: chrome, 'Node.js': node, SQLite: sqlite }).flatMap(
    ([name, version]) => (version ? { name, version } : []),
  )

// From the bundle in `out/server/`, or from the sources.
const builtAssets = import.meta.url.endsWith('.ts') ? '../out/renderer' : '../renderer'

/** Listens on `port`, or if none is given on the first of the usual ones that is free, or any; the port it got. */
async function listen(
  app: FastifyInstance,
  host: string,
  port: number | undefined,
  usual: readonly number[],
): Promise<number> {
  const on = async (one: number) => {
    await app.listen({ host, port: one })
    return (app.server.address() as AddressInfo).port
  }
  try {
    return await on(port ?? usual[0] ?? 0)
  } catch (error) {
    const { code } = error as { code?: string }
    const isOthers = code === 'EADDRINUSE' || code === 'EACCES'
    if (isOthers && port === undefined && usual.length > 0)
      return listen(app, host, undefined, usual.slice(1))
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
