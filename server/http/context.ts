import type { FastifyBaseLogger } from 'fastify'
import type { MarkdownRenderer } from '../markdown/index.ts'
import type { CloudflaredProgram } from '../contract/cloudflared.ts'
import type { TunnelChange, TunnelStatus } from '../contract/tunnel.ts'
import type { Store } from '../store/store.ts'
import type { TextThreads } from '../threads/text-threads.ts'
import type { DocumentEvent } from '../contract/events.ts'
import type { Live } from '../live/live.ts'
import type { Problem } from '../contract/problems.ts'
import type { OpeningLog } from './opening-log.ts'
import type { Answers } from './answers.ts'
import type { Limiters } from './limiters.ts'
import type { WriteTrouble } from './write-trouble.ts'
import type { PageAssets } from './page/assets.ts'

/** What every route works with; made once, in `app.ts`. */
export interface Context {
  store: Store
  markdown: MarkdownRenderer
  /** Where heavy work on texts is done. */
  texts: TextThreads
  limiters: Limiters
  /** What guests have asked for and not yet read. */
  answers: Answers
  log: FastifyBaseLogger
  /** What keeps changes from being written. */
  trouble: WriteTrouble
  version: string
  /** The name of the cookie that holds a session's secret. */
  sessionCookie: string
  /** What the server runs on. */
  components: { name: string; version: string }[]
  /** The built style sheets and scripts that pages link to; throws if they haven’t been built. */
  assets: () => PageAssets
  tunnel: TunnelControl
  /** What is the matter now. */
  problems: { list(): Problem[] }
  /** Has the share listener, which doesn't get its port, take another one; throws VALIDATION_ERROR if it can't. */
  sharePort: { move(port: number): Promise<number> }
  /** Everybody who is connected now. */
  live: Live
  /** When share links were opened. */
  openings: OpeningLog
  /** The address that share links start with, without a trailing slash. */
  shareUrl: () => string
  /** Tells whoever watches the document. Called after the commit, never inside a transaction. */
  publish: (event: DocumentEvent) => void
  /** The same for whether a user shares at all. */
  publishSharing: (userId: string) => void
}

/** The way in from elsewhere, as far as requests may see and change it. */
export interface TunnelControl {
  status(): TunnelStatus
  /** Throws VALIDATION_ERROR if what is to be switched on isn't set up; nothing has changed then. */
  change(wanted: TunnelChange): Promise<TunnelStatus>
  /** Makes the key for an SSH server; its public half. Throws a GalleyError if it can't be kept. */
  createSshKey(): Promise<string>
  /** Which cloudflared would be started, and what could be downloaded. */
  describeCloudflared(): Promise<CloudflaredProgram>
  /** Begins to download it. Throws nothing: how it ends, the description tells. */
  downloadCloudflared(): Promise<CloudflaredProgram>
  /** What to say to a question with which the server looks whether its public address leads to it. */
  answerTo(question: string, forwardedFor: string | undefined): string | undefined
  /** Who is behind a connection that the tunnel makes to the share listener; undefined for any other. */
  visitorAt(
    connection: { remotePort?: number | undefined; localPort?: number | undefined },
    forwardedFor: string | undefined,
  ): string | undefined
}
