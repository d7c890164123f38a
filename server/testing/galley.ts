import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { agentChange } from '../actions/agents.ts'
import { textNews } from '../actions/changes.ts'
import { createFeed, type Feed } from '../actions/feed.ts'
import { HeavyWrites } from '../actions/heavy-writes.ts'
import { createLimiters } from '../actions/rate-limits.ts'
import { KeptAlike } from '../actions/told-alike.ts'
import { createVisitLog } from '../actions/visit-log.ts'
import type { GalleyEvent } from '../contract/events.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { KeyKind } from '../contract/records/authors.ts'
import type { KeyAccess } from '../contract/records/keys.ts'
import type { Document } from '../contract/records/documents.ts'
import type { ShareLink } from '../contract/records/share-links.ts'
import type { LinkAccess } from '../domain/access.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import { createAnswers } from '../http/answers.ts'
import { LinkTurns } from '../http/link-turns.ts'
import type { Context } from '../http/context.ts'
import { servedHosts } from '../http/hosts.ts'
import { createWriteTrouble } from '../http/write-trouble-log.ts'
import { createOwnerApp } from '../http/owner/app.ts'
import { createShareApp } from '../http/share/app.ts'
import { createProblems } from '../problems.ts'
import { createRooms } from '../live/rooms.ts'
import { createLive, type LiveTimes } from '../live/live.ts'
import { createRenderer } from '../markdown/index.ts'
import { createCleaner } from '../cleaning.ts'
import { holdingBackups } from '../store/holding-backups.ts'
import { createCleaningThreads } from '../store/cleaning-threads.ts'
import { openSecretsFile } from '../secrets-file.ts'
import { isRestoreUnderWay } from '../store/restoring-copies.ts'
import { createSearchThreads, type SearchThreadsOptions } from '../store/search-threads.ts'
import { openBlobFolder } from '../store/blob-folder.ts'
import { openStore } from '../store/store.ts'
import { createTextThreads, type TextThreadsOptions } from '../threads/text-threads.ts'
import { freeUnusedFiles, removeUnusedNow } from '../unused-files.ts'
import { createInstallation } from '../tunnel/cloudflared/installation.ts'
import { release } from '../tunnel/cloudflared/release.ts'
import { createTunnelEndpoint } from '../tunnel/tunnel-endpoint.ts'
import { checkAnswer, type CheckedAnswer } from './answer.ts'
import { watchToldWrites } from './told-writes.ts'

/** By what a test calls: any of these may stand beside each other. */
export interface TestCredentials {
  key?: string
  session?: string
  token?: string
  /** The same in a header. */
  tokenInHeader?: string
  guest?: string
}

export interface TestRequest {
  as?: TestCredentials
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is, as `application/json` unless the headers say otherwise. */
  body?: string | Buffer
  headers?: Record<string, string>
  on?: 'owner' | 'share'
}

export interface TestOptions {
  apiKeysOnShareListener?: boolean
  live?: LiveTimes
  texts?: TextThreadsOptions
  searches?: Partial<SearchThreadsOptions>
  /** What tells how long answers have been unread, in milliseconds. */
  readingClock?: () => number
  /** Of the database; in memory where absent. */
  file?: string
}

export const hosts = { owner: '127.0.0.1:4780', share: '127.0.0.1:4781' }
export const unknownId = '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'

export type TestGalley = Awaited<ReturnType<typeof createTestGalley>>

/**
 * Both listeners on one database, without sockets, with a clock that stands still until it is moved. Every answer is
 * checked against the contract before a test sees it.
 */
export async function createTestGalley(options: TestOptions = {}) {
  const clock = { now: Date.parse('2026-03-01T09:30:00.000Z') }
  const log: string[] = []
  const events: GalleyEvent[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) })
  const trouble = createWriteTrouble(logger)
  const store = openStore({
    onCommitted: (isDeferred) => isDeferred || trouble.written(),
    file: options.file ?? ':memory:',
    now: () => clock.now,
    onDeferredTrouble: (error, name) => log.push(`${name}: ${String(error)}`),
  })
  store.setBusyTimeout(0)
  const untold = watchToldWrites(store)
  const markdown = createRenderer()
  const texts = createTextThreads(options.texts)
  const searches = createSearchThreads({
    file: options.file ?? ':memory:',
    onFailure: (error) => log.push(`search: ${String(error)}`),
    ...options.searches,
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-assets-'))
  const cleanings = createCleaningThreads()
  const { file } = options
  const cleaner = createCleaner({
    store,
    cleanFiles: file === undefined ? null : () => cleanings.cleanFiles(file),
    isHeld: () => file !== undefined && isRestoreUnderWay(path.join(path.dirname(file), 'backups')),
    onFailure: (error) => log.push(`cleaning: ${String(error)}`),
    every: 100,
  })
  for (const part of ['owner', 'share/assets']) mkdirSync(path.join(folder, part), { recursive: true })
  const env: NodeJS.ProcessEnv = {}
  const way = createTunnelEndpoint({
    file: null,
    port: () => 4781,
    localUrl: () => `http://${hosts.share}`,
    secrets: openSecretsFile(path.join(folder, 'secrets.json'), env),
    // No test asks the network for anything.
    cloudflared: createInstallation(path.join(folder, 'cloudflared'), { ...release, downloads: {} }),
  })
  const live = createLive(() => feed.listen(), options.live)
  const alike = new KeptAlike()
  const rooms = createRooms({
    read: (id, since) => textNews({ store, alike }, id, since),
    agentChange: (event) => agentChange(store, event),
    colours: store.colours,
    onFailure: (error) => logger.error(error),
  })
  const problems = createProblems(() => clock.now)
  const feed: Feed = createFeed({
    store,
    every: 20,
    tell(told) {
      events.push(...told)
      live.publish(told)
      rooms.hear(told)
    },
  })
  const { publish } = feed
  // Written when a test says so.
  const visits = createVisitLog({ store, publish }, 2 ** 31 - 1)
  const blobs = openBlobFolder(path.join(folder, 'files'))
  const backups = path.join(folder, 'backups')
  const context: Context = {
    store,
    markdown,
    texts,
    // No other thread can look into this one's memory.
    searches: options.file === undefined ? { find: () => Promise.resolve(undefined) } : searches,
    cleaner,
    findInBackups: (search) => Promise.resolve(holdingBackups({ ...search, folder })),
    limiters: createLimiters(),
    heavyWrites: new HeavyWrites(),
    alike,
    answers: createAnswers({ tunnel: way }, options.readingClock),
    linkTurns: new LinkTurns(),
    log: logger,
    trouble,
    version: '0.0.0',
    sessionCookie: 'galley_session',
    components: [{ name: 'SQLite', version: store.sqlite }],
    assets: () => ({
      share: { script: 's.js', styles: ['s.css'], preload: [], later: [] },
      words: { script: 'w.js', styles: [], preload: [], later: [] },
      diagrams: 'd.js',
      worker: 'onfetch = null',
      documentStyle: '',
      docsStyle: '',
      fonts: {
        style: 'f.css',
        text: { needed: () => [], reader: () => ({ read: () => {}, embedded: () => '' }) },
        code: [],
      },
    }),
    shareUrl: () => `http://${hosts.share}`,
    tunnel: way,
    problems,
    sharePort: { move: (port) => Promise.resolve(port || 4782) },
    feed,
    live,
    rooms,
    sawAgent: rooms.sawAgent,
    visits,
    // What sends is tried by itself.
    webhooks: { soon: () => {} },
    publish,
    blobs,
    removeUnused: (sha256, since) =>
      void removeUnusedNow({ store, blobs, backups }, sha256, since).catch((error: unknown) =>
        log.push(`unused files: ${String(error)}`),
      ),
    freeUnused: () => freeUnusedFiles({ store, blobs, backups }),
  }
  const apps: Record<'owner' | 'share', FastifyInstance> = {
    owner: await createOwnerApp(context, { hosts: servedHosts(() => 4780, []), assetsFolder: folder }),
    share: await createShareApp(context, {
      hosts: servedHosts(() => 4781, []),
      assetsFolder: folder,
      apiKeys: options.apiKeysOnShareListener ?? false,
    }),
  }

  async function call(method: string, url: string, request: TestRequest = {}): Promise<CheckedAnswer> {
    const { as = {}, on = 'owner' } = request
    const cookies = [
      ...(as.session === undefined ? [] : [`galley_session=${as.session}`]),
      ...(as.guest === undefined ? [] : [`galley_guest=${as.guest}`]),
    ]
    const body = request.json === undefined ? request.body : JSON.stringify(request.json)
    const target =
      as.token === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}share_token=${as.token}`
    const response = await apps[on].inject({
      method: method as 'GET',
      url: target,
      headers: {
        host: hosts[on],
        ...(as.key === undefined ? {} : { authorization: `Bearer ${as.key}` }),
        ...(as.tokenInHeader === undefined ? {} : { 'galley-share-token': as.tokenInHeader }),
        ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    return checkAnswer(method, target, {
      status: response.statusCode,
      code: null,
      message: null,
      data: undefined,
      headers: response.headers as CheckedAnswer['headers'],
      text: response.payload,
      bytes: response.rawPayload,
    })
  }

  const newKey = (
    userId: string,
    access: KeyAccess = 'full',
    more: { name?: string; kind?: KeyKind; documents?: readonly string[] } = {},
  ) => store.apiKeys.create(userId, { name: 'Test', access, expiresAt: null, ...more }).key
  const newSession = (userId: string) =>
    store.sessions.exchange(store.signInLinks.createTicket(userId))!.secret
  const user = store.users.owner()
  const other = store.users.create('Other')
  const owner = { key: newKey(user.id) }

  return {
    clock,
    log,
    /** Where the bytes of files are. */
    filesFolder: path.join(folder, 'files'),
    /** Where backups are that the data folder itself holds. */
    backupsFolder: backups,
    /** Where secrets may come from. */
    env,
    /** What whoever watches would have been told. */
    events,
    store,
    context,
    apps,
    call,
    user,
    other,
    newKey,
    newSession,
    /** The owner by key, with full and with read access, and by session; another user. */
    as: {
      owner,
      reader: { key: newKey(user.id, 'read') },
      session: { session: newSession(user.id) },
      stranger: { key: newKey(other.id) },
    },
    async newDocument(
      fields: { title?: string; content?: string } = {},
      as: TestCredentials = owner,
    ): Promise<Document> {
      return (await call('POST', '/api/documents', { as, json: fields })).data as Document
    },
    async newToken(documentId: string, access: LinkAccess, expires_at: string | null = null) {
      const link = await call('POST', `/api/documents/${documentId}/share`, {
        as: owner,
        json:
          access === 'suggest'
            ? { permission: 'edit', suggest_only: true, expires_at }
            : { permission: access, expires_at },
      })
      return (link.data as ShareLink).token
    },
    async newComment(documentId: string, as: TestCredentials = owner, fields: object = {}): Promise<Comment> {
      const json = { body: 'Is this right?', ...fields }
      return (await call('POST', `/api/documents/${documentId}/comments`, { as, json })).data as Comment
    },
    async newSuggestion(
      documentId: string,
      as: TestCredentials = owner,
      fields: object = {},
    ): Promise<Suggestion> {
      const json = { original_text: 'out', suggested_text: 'in', ...fields }
      return (await call('POST', `/api/documents/${documentId}/suggestions`, { as, json })).data as Suggestion
    },
    async newReply(
      suggestion: Suggestion,
      as: TestCredentials = owner,
      fields: object = {},
    ): Promise<Comment> {
      const json = { body: 'Reads better.', ...fields }
      const url = `/api/documents/${suggestion.document_id}/suggestions/${suggestion.id}/replies`
      return (await call('POST', url, { as, json })).data as Comment
    },
    async close() {
      feed.close()
      live.close()
      visits.close()
      await Promise.all([apps.owner.close(), apps.share.close()])
      cleaner.close()
      await Promise.all([markdown.close(), texts.close(), searches.close(), cleanings.close()])
      store.close()
      rmSync(folder, { recursive: true })
      if (untold.length > 0) throw new Error(`A restore wouldn’t see this: ${untold.join(', ')}.`)
    },
  }
}

/** The value of a cookie that an answer sets. */
export function cookieOf(answer: CheckedAnswer, name: string): string | undefined {
  const lines = [answer.headers['set-cookie'] ?? []].flat()
  return lines.find((line) => line.startsWith(`${name}=`))?.split(/[=;]/)[1]
}
