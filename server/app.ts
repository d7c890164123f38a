import { realpathSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { chosenProgram } from './chosen-program.ts'
import { ClosingSteps } from './closing-steps.ts'
import { openDataFolder } from './data-folder.ts'
import { agentChange } from './actions/agents.ts'
import { builtAssets } from './built-assets.ts'
import { textNews } from './actions/changes.ts'
import { createFeed, type Feed } from './actions/feed.ts'
import { HeavyWrites } from './actions/heavy-writes.ts'
import { createLimiters } from './actions/rate-limits.ts'
import { setOwnSharing } from './actions/sharing.ts'
import { KeptAlike } from './actions/told-alike.ts'
import { createVisitLog } from './actions/visit-log.ts'
import { subjectOf } from './contract/events.ts'
import type { Problem } from './contract/problems.ts'
import type { Secrets } from './contract/secrets.ts'
import type { TunnelSetup } from './contract/tunnel.ts'
import { bracketed } from './domain/host.ts'
import { tellHost, type HostListeners } from './host-events.ts'
import { sessionCookieOf } from './http/principal.ts'
import { createAnswers } from './http/answers.ts'
import { LinkTurns } from './http/link-turns.ts'
import type { Context } from './http/context.ts'
import { servedHosts } from './http/hosts.ts'
import { createOwnerApp } from './http/owner/app.ts'
import { createLive } from './live/live.ts'
import { createRooms } from './live/rooms.ts'
import { loadPageAssets, type PageAssets } from './http/page/assets.ts'
import { createShareApp } from './http/share/app.ts'
import { createWriteTrouble } from './http/write-trouble-log.ts'
import { listen, loopback } from './listen.ts'
import { createDeferredTrouble } from './deferred-trouble.ts'
import { createLogger } from './logger.ts'
import { createDamageTold, createProblems, tellStoppedWebhooks } from './problems.ts'
import { lockFolder } from './store/folder-lock.ts'
import { openSecretsFile } from './secrets-file.ts'
import { keepServerFacts } from './server-facts.ts'
import { openSharePort, type SharePort } from './share-port.ts'
import { createOwnUserSignIn } from './own-user-sign-in.ts'
import { createStop } from './stopping.ts'
import { sweepTrash } from './trash-sweep.ts'
import { migrationProgress, type MigrationProgress } from './store/migration-progress.ts'
import { openBlobFolder } from './store/blob-folder.ts'
import { freeUnusedFiles, removeUnusedNow, sweepUnusedFiles } from './unused-files.ts'
import { sweepRestoringCopies } from './store/restoring-copies.ts'
import { openStore } from './store/store.ts'
import { createInstallation } from './tunnel/cloudflared/installation.ts'
import type { Release } from './tunnel/cloudflared/release.ts'
import { createTunnelEndpoint } from './tunnel/tunnel-endpoint.ts'
import { createUnexpectedErrors } from './unexpected-errors.ts'
import { version } from './version.ts'
import { systemResolve } from './webhooks/addresses.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { createPost } from './webhooks/post.ts'
import { createWorkers } from './workers.ts'

export interface GalleyConfig extends HostListeners {
  /** Told now and then how far the database has been brought up to date, where that takes a while. */
  onMigration?: (progress: MigrationProgress) => void
  /** Holds the database; made if it isn't there. */
  dataFolder: string
  /**
   * Ports of the two listeners; 0 takes a free one, undefined the usual one or, if that is taken, a free one. But once
   * there are share links, theirs is the one they had: if it is taken, Galley waits for it, whether it was asked for
   * or not.
   */
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
  /** For tests: how often to look whether a port that was taken is free, in ms. */
  lookForPortEvery?: number
  /** For tests: the clock. */
  now?: () => number
}

export interface Galley {
  /** Of the owner listener, without a trailing slash: where a browser is to open it. */
  url: string
  /** Of the share listener, without a trailing slash. */
  shareUrl: string
  /** The port that share links had before another one was asked for, with this start. */
  sharePortBefore: number | undefined
  /** Where share links open for people elsewhere once that works, as far as that is set up and known beforehand. */
  publicAddress(): string | null
  /** A one-time link that signs a browser in as the machine's own user. */
  signInUrl(): string
  /** Tells such a link once it can be written, where `signInUrl` failed. */
  signInUrlLater(tell: (url: string) => void): void
  /** Signs the machine's own user in, for a window that can be given its cookie, which holds a secret. */
  createSession(): { name: string; value: string }
  /** Has every link of the machine's own user open nothing, or be again what it was. */
  setSharing(wanted: { stopped: boolean }): Promise<void>
  /** What is the matter now, for whoever looks at the terminal. */
  problems(): Problem[]
  /**
   * An error that nobody expected, and nobody caught: it is logged and shown.
   * @returns whether to go on; if not, only a new process is sure to be well
   */
  survive(error: unknown): boolean
  /** Little is done: what was needed for more is given back to the system. */
  releaseMemory: () => void
  /** The machine was asleep: looks at once whether people elsewhere still get here. */
  wake(): void
  /** Stops both listeners, lets running requests end, closes the database. */
  close(): Promise<void>
}

const usualPort = 4780
/** Requests still running after this long, while closing, are cut off. */
const patience = 3_000

/**
 * Starts Galley on a data folder: two listeners on one database.
 * @throws OpenError if the folder is in use, or its database can't be opened
 */
export async function createGalley(config: GalleyConfig): Promise<Galley> {
  const folder = openDataFolder(config.dataFolder)
  const lock = lockFolder(folder.lock, () => `${folder.describeHolder()} Use that one, or stop it first.`)
  const closing = new ClosingSteps()
  closing.push(() => lock.release())

  try {
    const log = config.log ?? createLogger(config.logLevel ?? 'warn')
    // Of a process that is dead, since the lock is ours. Removing needs no room, which writing may not have.
    try {
      folder.removeServer()
    } catch (error) {
      log.error(error, 'server.json of an earlier Galley could not be removed')
    }
    sweepRestoringCopies(folder.backups)
    const trouble = createWriteTrouble(log)
    const store = openStore({
      file: folder.database,
      backupBeforeMigration: folder.migrationBackup,
      renderer: version,
      ...(config.now ? { now: config.now } : {}),
      onMigration: migrationProgress((message, progress) => {
        log.warn(message)
        config.onMigration?.(progress)
      }),
      onCommitted: (isDeferred) => isDeferred || trouble.written(),
      onDeferredTrouble: (error, name) => deferredTrouble.tell(error, name),
      onDamage: (documents) => damage.inDocuments(documents),
    })
    closing.push(() => {
      store.setBusyTimeout(1_000)
      store.close()
    })
    store.users.owner()
    const forgetting = store.deferred.add('revoked links', () => {
      store.shareLinks.forgetRevoked()
      return false
    })
    forgetting.soon()
    const live = createLive(() => feed.listen())
    const alike = new KeptAlike()
    const rooms = createRooms({
      read: (id, since) => textNews({ store, alike }, id, since),
      agentChange: (event) => agentChange(store, event),
      colours: store.colours,
      onFailure: (error) => log.error(error, 'the changes of a text could not be told'),
    })
    const problems = createProblems(store.now, () => live.publishProblems())
    const damage = createDamageTold(problems)
    const deferredTrouble = createDeferredTrouble(log, problems)
    const { markdown, texts, searches, cleanings, cleaner } = createWorkers({ folder, store, log, closing })

    const assetsFolder = config.assetsFolder ?? builtAssets()
    let assets: PageAssets | undefined
    const outside = tellHost(store, config, (error) => log.error(error, 'the host could not be told'))
    closing.push(() => outside.stop())

    const address: { owner?: number; share?: SharePort } = {}
    const localShareUrl = () => `http://${loopback}:${address.share?.port() ?? 0}`
    const facts = keepServerFacts({ folder, store, log })
    const way = createTunnelEndpoint({
      file: folder.tunnel,
      cloudflared: createInstallation(
        folder.cloudflared,
        config.cloudflared,
        chosenProgram(folder.chosenCloudflared).find,
      ),
      ...(config.tunnel ? { said: config.tunnel } : {}),
      port: () => address.share?.port() ?? 0,
      isListening: () => address.share?.isListening() ?? false,
      localUrl: localShareUrl,
      secrets: config.secrets ?? openSecretsFile(folder.secrets),
      onStatus: facts.tellTunnel,
    })
    const tellOutside = (tell: () => void) => {
      try {
        tell()
      } catch (error) {
        // What was committed stays so, whatever whoever is told makes of it.
        log.error(error, 'the host could not be told')
      }
    }
    const webhooks = createDispatcher({
      store,
      publish: (events) => feed.publish(events),
      listen: () => feed.listen(),
      post: createPost(systemResolve()),
      onStopped: (ownerIds) => tellStoppedWebhooks(problems, ownerIds, store.users.owner().id),
      onFailure: (error) => log.error(error, 'webhooks can’t be sent now'),
    })
    const feed: Feed = createFeed({
      store,
      tell(events) {
        live.publish(events)
        rooms.hear(events)
        webhooks.hear(events)
        if (events.some(({ kind }) => subjectOf(kind) === 'content')) store.searchIndex.soon()
        tellOutside(() => outside.publish(events))
      },
    })
    const { publish } = feed
    closing.push(() => webhooks.close())
    const visits = createVisitLog({ store, publish })
    closing.push(() => visits.close())
    closing.push(
      sweepTrash({
        context: { store, publish },
        onFailure: (error) => log.warn(error, 'what is due in the trash could not be deleted'),
      }),
    )
    const blobs = openBlobFolder(folder.files)
    const unusedFiles = {
      ...{ store, blobs, backups: folder.backups },
      onFailure: (error: unknown) => log.warn(error, 'files that nothing uses could not be removed'),
    }
    closing.push(sweepUnusedFiles(unusedFiles))
    const context: Context = {
      store,
      markdown,
      texts,
      searches,
      cleaner,
      findInBackups: (search) => cleanings.findInBackups({ ...search, folder: folder.backups }),
      trouble,
      metDamage: damage.inFile,
      limiters: createLimiters(),
      heavyWrites: new HeavyWrites(),
      alike,
      answers: createAnswers({ tunnel: way }),
      linkTurns: new LinkTurns(),
      log,
      version,
      sessionCookie: sessionCookieOf(realpathSync(config.dataFolder)),
      components: componentsOf(process.versions, store.sqlite),
      assets: () => (assets ??= loadPageAssets(`${assetsFolder}/share`)),
      shareUrl: () => way.status().share_url,
      tunnel: way,
      problems,
      sharePort: { move: (port) => address.share!.move(port) },
      feed,
      live,
      rooms,
      sawAgent: rooms.sawAgent,
      visits,
      webhooks,
      publish,
      blobs,
      removeUnused: (sha256, since) =>
        void removeUnusedNow(unusedFiles, sha256, since).catch(unusedFiles.onFailure),
      freeUnused: () => freeUnusedFiles(unusedFiles),
    }
    store.searchIndex.goOn()
    cleaner.soon()

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
      hosts: servedHosts(() => address.share?.port() ?? 0, allow, way.host),
      assetsFolder,
      apiKeys: config.apiKeysOnShareListener ?? false,
    })
    const stops = [ownerApp, shareApp].map((app) => createStop(app, patience))
    closing.push(
      // At once: an owner's page whose connection has ended comes back to whichever listener is still there.
      () => Promise.all(stops.map((stop) => stop())),
      // Before the listeners stop, which wait for every connection and every answer.
      () => feed.close(),
      () => live.close(),
      () => rooms.close(),
    )
    address.owner = await listenForOwner(ownerApp, config)
    const listeningAt = `http://${hereAt(config.host ?? loopback)}:${address.owner}`
    const ownerUrl = config.ownerUrl ?? listeningAt

    const announce = async () => {
      facts.tell({
        url: listeningAt,
        shareUrl: localShareUrl(),
        ...(config.ownerUrl === undefined ? {} : { ownerUrl }),
        pid: process.pid,
        version,
      })
      await way.resume()
    }
    closing.push(() => facts.remove())
    closing.push(() => way.close())
    const sharePort = await openSharePort({
      app: shareApp,
      asked: config.sharePort,
      hasLinks: store.shareLinks.hasAny(),
      file: folder.sharePort,
      problems,
      onListening: announce,
      onFailure: (error) => log.error(error, 'the port of the share links'),
      ...(config.lookForPortEvery === undefined ? {} : { every: config.lookForPortEvery }),
    })
    address.share = sharePort
    closing.push(() => sharePort.close())
    await sharePort.start()
    if (!sharePort.isListening()) await announce()
    outside.start()
    webhooks.soon()
    // From here on nobody may hold up everybody: who finds the database held waits by themselves.
    store.setBusyTimeout(0)
    const signIn = createOwnUserSignIn(store, ownerUrl)
    return {
      url: ownerUrl,
      get shareUrl() {
        return localShareUrl()
      },
      sharePortBefore: sharePort.movedFrom(),
      publicAddress: () => (way.status().state === 'off' ? null : way.status().public_address),
      signInUrl: signIn.now,
      signInUrlLater: signIn.later,
      createSession: () => ({
        name: context.sessionCookie,
        value: store.sessions.create(store.users.owner().id),
      }),
      setSharing: (wanted) => setOwnSharing(context, wanted),
      problems: problems.list,
      survive: createUnexpectedErrors({ log, problems, looksSound: store.looksSound }),
      releaseMemory: store.releaseMemory,
      wake: () => way.wake(),
      close: () => closing.close(),
    }
  } catch (error) {
    // Why it can't be started says more than what else fails then.
    await closing.close().catch(() => undefined)
    throw error
  }
}

/** @returns the port */
function listenForOwner(app: FastifyInstance, { host = loopback, port, preferredPort }: GalleyConfig) {
  if (port !== undefined) return listen(app, host, port)
  const [first, ...others] = [...(preferredPort === undefined ? [] : [preferredPort]), usualPort, 0]
  return listen(app, host, first, others)
}

/** How a browser on this machine calls an address that is listened at. */
const hereAt = (host: string) => (host === '0.0.0.0' || host === '::' ? loopback : bracketed(host))

/** Electron's own, with Chromium's, come where the desktop runs the server. */
const componentsOf = ({ electron, chrome, node }: NodeJS.ProcessVersions, sqlite: string) =>
  Object.entries({ Electron: electron, Chromium: chrome, 'Node.js': node, SQLite: sqlite }).flatMap(
    ([name, version]) => (version ? { name, version } : []),
  )
