import { safeStorage, shell } from 'electron'
import path from 'node:path'
import type { FeedbackNews, SharingNow } from '../../server/contract/events.ts'
import type { MigrationProgress } from '../../server/index.ts'
import { findOutside, isWithin } from '../windows/addresses.ts'
import { serverLog } from '../diagnostics/diagnostics.ts'
import type { ServerAddresses, ServerFailure, ServerOptions } from './server-messages.ts'
import { signIn } from './sign-in.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { answerSecret } from '../secrets/secret-request.ts'
import { openSecrets } from '../secrets/secrets.ts'
import { forkServer } from './server-child.ts'
import { hostServer } from './server-host.ts'
import { createVault } from '../secrets/vault.ts'

export interface OwnServerOptions {
  /** What the person asked for. */
  options: ServerOptions
  dataFolder: string
  profile: string
  preferences: Preferences
  /** It answers: for the first time, or again after it had gone. */
  onReady: () => void
  /** It brings the database of an older Galley up to date first. */
  onMigrating: (progress: MigrationProgress) => void
  /** It can't come up, and a person has to know. */
  onFailed: (failure: ServerFailure) => void
  /** What is shared; undefined while there is no server. */
  onSharing: (sharing: SharingNow | undefined) => void
  onFeedback: (feedback: FeedbackNews) => void
}

/** The app's server, where it is, and by that which pages are the app's own. */
export function createOwnServer(known: OwnServerOptions) {
  const { options, dataFolder, profile, preferences } = known
  const ownerPort = preferences.find('ownerPort')
  const secrets = openSecrets(path.join(profile, 'secrets.json'), createVault(safeStorage))
  let facts: ServerAddresses | undefined
  let isUp = false

  const host = hostServer({
    fork: () => forkServer(serverLog(profile)),
    options: {
      ...options,
      dataFolder,
      ...(ownerPort === undefined ? {} : { preferredPort: ownerPort }),
    },
    onReady(now) {
      facts = now
      isUp = true
      if (options.port === undefined) preferences.set('ownerPort', Number(new URL(now.url).port))
      known.onReady()
    },
    onFailed(failure) {
      console.error(failure.message)
      isUp = false
      known.onFailed(failure)
    },
    onMigrating: known.onMigrating,
    onSecret: (request) => answerSecret(secrets, request),
    onSharing: known.onSharing,
    onFeedback: known.onFeedback,
  })
  const findOutsideOf = (url: string) => findOutside(url, facts?.shareUrl)

  return {
    start: () => host.start(),
    pause: () => host.pause(),
    resume: () => host.resume(),
    close: () => host.close(),
    setSharing: (wanted: { stopped: boolean }) => host.setSharing(wanted),
    wake: () => host.wake(),
    isUp: () => isUp,
    /** Whether it has ever been up, so that there are windows with something in them. */
    wasUp: () => facts !== undefined,
    isOwn: (url: string) => facts !== undefined && isWithin(new URL(facts.url).origin, url),
    /** Signs the pages in; the address of one, or undefined while there is no server. */
    async addressOf(page: string): Promise<string | undefined> {
      if (!facts) return undefined
      await signIn(facts, await host.createSession())
      return facts.url + page
    },
    findOutside: findOutsideOf,
    /** Hands a link to the system, if it may be handed out. Nothing else does. */
    openOutside(url: string) {
      const outside = findOutsideOf(url)
      if (outside !== undefined) void shell.openExternal(outside)
    },
  }
}
