import type { TunnelReason } from '../contract/tunnel.ts'
import { readAddress } from './address.ts'
import { TunnelFailure, type TunnelProvider, type TunnelSession } from './provider.ts'

/** What is used of the package `@ngrok/ngrok`. */
export interface NgrokModule {
  SessionBuilder: new () => NgrokSessionBuilder
}
interface NgrokSessionBuilder {
  authtoken(token: string): this
  /** Its handler says whether the session may connect again by itself; otherwise it throws where nobody can catch. */
  handleDisconnection(handler: (address: string, error: string) => boolean): this
  handleStopCommand(handler: () => void): this
  connect(): Promise<NgrokSession>
}
interface NgrokSession {
  httpEndpoint(): NgrokEndpoint
  close(): Promise<void>
}
interface NgrokEndpoint {
  domain(name: string): this
  listenAndForward(to: string): Promise<{ url(): string | null }>
}

export interface NgrokOptions {
  token: () => Promise<string | undefined>
  /** A name that the account has reserved; without it, ngrok gives one. */
  domain: string | null
  /** For tests: what stands in for the package. */
  load?: () => Promise<NgrokModule>
}

/** ngrok, by its own library, which carries everything within this process. */
export function ngrok({ token, domain, load = loadNgrok }: NgrokOptions): TunnelProvider {
  return {
    name: 'ngrok',
    async preflight() {
      if (domain !== null) readDomain(domain)
      await tokenOf(token)
    },
    async open(port, signal) {
      const secret = await tokenOf(token)
      const name = domain === null ? null : readDomain(domain)
      const { SessionBuilder } = await load()
      if (signal.aborted) throw silent()
      const { promise: ended, resolve: end } = Promise.withResolvers<TunnelFailure | null>()
      let connected = false
      const builder = new SessionBuilder()
      builder.authtoken(secret)
      builder.handleDisconnection((_address, error) => {
        if (connected) end(asFailure(error, secret, 'other side silent'))
        return true
      })
      builder.handleStopCommand(() =>
        end(
          new TunnelFailure('process ended', 'The tunnel was stopped in ngrok’s dashboard.', { final: true }),
        ),
      )
      let session: NgrokSession | undefined
      const close = async () => {
        end(null)
        await session?.close().catch(() => undefined)
      }
      const opening = (async (): Promise<TunnelSession> => {
        session = await builder.connect()
        if (signal.aborted) throw silent()
        const endpoint = session.httpEndpoint()
        if (name !== null) endpoint.domain(name)
        const listener = await endpoint.listenAndForward(`http://127.0.0.1:${port}`)
        connected = true
        return {
          address: readAddress(listener.url() ?? ''),
          stable: name !== null,
          ended,
          // It knows of nothing that a probe wouldn’t show.
          check: () => Promise.resolve(),
          close,
        }
      })()
      const { promise: aborted, reject: giveUp } = Promise.withResolvers<never>()
      const abort = () => giveUp(silent())
      signal.addEventListener('abort', abort)
      try {
        return await Promise.race([opening, aborted])
      } catch (error) {
        // It can't be told to give up; what it opens after all is closed.
        void opening.then(close, close)
        throw error instanceof TunnelFailure ? error : asFailure((error as Error).message, secret)
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
  }
}

// Not known to whoever bundles this or checks its types, since it may be absent.
const packageName: string = '@ngrok/ngrok'

/** Only once it is wanted: it brings a native part, which not every machine has. */
async function loadNgrok(): Promise<NgrokModule> {
  try {
    return ((await import(packageName)) as { default: NgrokModule }).default
  } catch (error) {
    throw new TunnelFailure(
      'not installed',
      'This copy of Galley comes without ngrok’s library. Choose another way, such as Cloudflare.',
      { final: true, cause: error },
    )
  }
}

/** @throws TunnelFailure */
export function readDomain(text: string): string {
  const url = new URL(readAddress(text))
  if (url.protocol === 'https:' && url.port === '' && url.hostname.includes('.')) return url.hostname
  throw new TunnelFailure(
    'not set up',
    `“${text.trim()}” is no name that ngrok reserves. It looks like galley.ngrok.app.`,
    { final: true },
  )
}

async function tokenOf(token: NgrokOptions['token']): Promise<string> {
  const found = (await token())?.trim() ?? ''
  if (found !== '') return found
  throw new TunnelFailure('not set up', 'Enter the authtoken of your ngrok account.', { final: true })
}

const silent = () => new TunnelFailure('other side silent', 'ngrok didn’t answer in time.')

/** By ngrok's own codes, where it gives one; https://ngrok.com/docs/errors/reference. */
const byCode: { codes: string[]; reason: TunnelReason; message: string; final: boolean }[] = [
  {
    codes: ['102', '103', '105', '106', '107', '109', '115', '116', '123', '4018'],
    reason: 'sign-in rejected',
    message: 'ngrok refuses to sign this account in. Copy the authtoken from ngrok’s dashboard again.',
    final: true,
  },
  {
    codes: ['108'],
    reason: 'rate limited',
    message: 'Your ngrok account allows no further connection. Is ngrok running elsewhere?',
    final: false,
  },
  {
    codes: ['334'],
    reason: 'port taken',
    message: 'Something else of yours is at this address already. Is ngrok running elsewhere?',
    final: false,
  },
  {
    codes: ['314', '319', '320', '326', '7117'],
    reason: 'not set up',
    message:
      'Your ngrok account may not use this domain. Reserve it in ngrok’s dashboard, or leave it empty.',
    final: true,
  },
]

/** ngrok repeats the token in what it says; it goes no further, and neither does the error that holds it. */
function asFailure(text: string, token: string, otherwise: TunnelReason = 'network blocked'): TunnelFailure {
  const said = text.replaceAll(token, '…').replace(/\s+/g, ' ').trim().slice(0, 300)
  const [, code] = /ERR_NGROK_(\d+)/.exec(text) ?? []
  const known = byCode.find(({ codes }) => code !== undefined && codes.includes(code))
  if (known)
    return new TunnelFailure(known.reason, `${known.message} It says: ${said}`, { final: known.final })
  // Of a name that isn't found and of a connection that is refused it says the same.
  if (/failed to establish tcp connection/.test(text))
    return new TunnelFailure(
      'offline',
      'ngrok can’t be reached. Is this machine online? A firewall could be in the way, too.',
    )
  return new TunnelFailure(otherwise, `The connection to ngrok failed. It says: ${said}`)
}
