import type { FastifyBaseLogger } from 'fastify'
import type { StatusContext } from '../actions/account.ts'
import type { AllFilesContext } from '../actions/all-files.ts'
import type { FilesContext } from '../actions/files.ts'
import type { Feed } from '../actions/feed.ts'
import type { ForgettingContext } from '../actions/forgetting.ts'
import type { ProblemContext } from '../actions/problems.ts'
import type { RenderingContext } from '../actions/rendering-context.ts'
import type { SearchContext } from '../actions/search.ts'
import type { TunnelContext } from '../actions/tunnel.ts'
import type { VisitLog } from '../actions/visit-log.ts'
import type { WaitingContext } from '../actions/waits.ts'
import type { WebhookContext } from '../actions/webhooks.ts'
import type { Live } from '../live/live.ts'
import type { Rooms } from '../live/rooms.ts'
import type { TextThreads } from '../threads/text-threads.ts'
import type { Answers } from './answers.ts'
import type { LinkTurns } from './link-turns.ts'
import type { PageAssets } from './page/assets.ts'
import type { WriteTrouble } from './write-trouble-log.ts'

/** What every route works with; made once, in `app.ts`. */
export interface Context
  extends
    RenderingContext,
    SearchContext,
    TunnelContext,
    ProblemContext,
    StatusContext,
    WaitingContext,
    FilesContext,
    AllFilesContext,
    ForgettingContext,
    WebhookContext {
  texts: TextThreads
  /** What guests have asked for and not yet read. */
  answers: Answers
  linkTurns: LinkTurns
  log: FastifyBaseLogger
  /** What keeps changes from being written. */
  trouble: WriteTrouble
  /** The name of the cookie that holds a session's secret. */
  sessionCookie: string
  /** The built style sheets and scripts that pages link to; throws if they haven’t been built. */
  assets: () => PageAssets
  tunnel: TunnelContext['tunnel'] & TunnelledRequests
  /** All that happens, for whoever is here to hear it. */
  feed: Feed
  /** Everybody who is connected now. */
  live: Live
  /** Who follows which text. */
  rooms: Rooms
  /** When share links were visited. */
  visits: VisitLog
}

/** What the tunnel knows of requests that come through it. */
interface TunnelledRequests {
  /** What to say to a question with which the server looks whether its public address leads to it. */
  answerTo(question: string, forwardedFor: string | undefined): string | undefined
  /** Who is behind a connection that the tunnel makes to the share listener; undefined for any other. */
  clientAddressAt(
    connection: { remotePort?: number | undefined; localPort?: number | undefined },
    forwardedFor: string | undefined,
  ): string | undefined
}
