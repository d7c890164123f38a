import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TunnelReason } from '../../contract/tunnel.ts'
import { readAddress } from '../address.ts'
import { TunnelFailure, type TunnelProvider, type TunnelSession } from '../provider.ts'
import { startChild, type Exit } from './child.ts'
import { bareEnvironment } from './environment.ts'
import { HeardLog } from './heard-log.ts'
import type { Program } from './program.ts'
import { tidy } from './tidy.ts'

export interface CloudflaredOptions {
  /** Finds the program to start and checks it; throws a TunnelFailure. Asked before each start. */
  program: () => Promise<Program>
  /** The tunnel of an account of the owner's, which leads from `address`; without it, a temporary link. */
  named?: { address: string; token: () => Promise<string | undefined> }
  /** Told which program was started. */
  onProgram?: (program: Program) => void
  /** Told each line that it logs. */
  onLog?: (line: string) => void
  /** How long it may take to end by itself, in milliseconds. */
  grace?: number
}

/** Cloudflare Tunnel, by the program of Cloudflare's that it takes. */
export function cloudflared(options: CloudflaredOptions): TunnelProvider {
  const { named, onProgram, onLog, grace = 4_000 } = options
  let checked: Program | undefined
  return {
    name: 'cloudflared',
    async preflight() {
      if (named) {
        readAddress(named.address)
        await tokenOf(named)
      }
      checked = await options.program()
    },
    async open(port, signal) {
      const program = checked ?? (await options.program())
      // What was checked a while ago is checked again.
      checked = undefined
      const address = named && readAddress(named.address)
      const token = named && (await tokenOf(named))
      const folder = await mkdtemp(path.join(tmpdir(), 'galley-cloudflared-'))
      const tokenFile = path.join(folder, 'token')
      try {
        // Ours, because one in the home folder would silently take the place of what we ask for. JSON is YAML.
        const service = `http://127.0.0.1:${port}`
        const config = path.join(folder, 'config.yml')
        await writeFile(config, JSON.stringify({ ingress: [{ service }] }), { mode: 0o600 })
        // Neither among the arguments, which every account of the machine may see, nor in the environment.
        if (token !== undefined) await writeFile(tokenFile, token, { mode: 0o600 })
        if (signal.aborted) throw asFailure({ reason: undefined, last: '' })
        onProgram?.(program)
        return await connect()

        async function connect(): Promise<TunnelSession> {
          const heard = new HeardLog(address)
          let closing = false
          const ready = Promise.withResolvers<void>()
          const failureOf = (exit?: Exit) => asFailure(heard, exit)
          const child = startChild({
            file: program.file,
            args: [
              ...['tunnel', '--config', config],
              // It would start itself anew, and a temporary link would be another.
              '--no-autoupdate',
              ...['--output', 'json', '--metrics', '127.0.0.1:0', '--grace-period', '3s'],
              // By QUIC, and where that doesn't get through by HTTP/2; a quick tunnel wouldn't try the second.
              ...['--protocol', 'auto'],
              ...(token === undefined ? ['--url', service] : ['run', '--token-file', tokenFile]),
            ],
            env: bareEnvironment(folder),
            grace,
            onLine(line) {
              onLog?.(token === undefined ? line : line.replaceAll(token, '…'))
              heard.hear(line)
              if (heard.isRejected) {
                ready.reject(failureOf())
                void child.stop()
              }
              if (heard.isConnected && heard.address !== undefined) ready.resolve()
            },
          })
          const ended = child.ended.then((exit) => {
            void tidy(folder)
            return closing ? null : failureOf(exit)
          })
          void ended.then((why) => ready.reject(why ?? failureOf()))
          const abort = () => ready.reject(failureOf())
          signal.addEventListener('abort', abort)
          try {
            await ready.promise
          } catch (error) {
            closing = true
            await child.stop()
            throw error
          } finally {
            signal.removeEventListener('abort', abort)
            await tidy(tokenFile)
          }
          return {
            address: heard.address!,
            stable: named !== undefined,
            ended,
            check: (until) => checkMetrics(heard.metrics, until, failureOf),
            async close() {
              closing = true
              await child.stop()
              await tidy(folder)
            },
          }
        }
      } catch (error) {
        await tidy(folder)
        throw error
      }
    },
  }
}

/** It says so itself; that the link works, only a probe through it says. */
async function checkMetrics(
  metrics: string | undefined,
  signal: AbortSignal,
  failureOf: () => TunnelFailure,
) {
  if (metrics === undefined) return
  const response = await fetch(`${metrics}/ready`, { signal }).catch(() => undefined)
  await response?.body?.cancel()
  if (response?.status !== 200) throw failureOf()
}

async function tokenOf({ token }: NonNullable<CloudflaredOptions['named']>): Promise<string> {
  const found = (await token())?.trim() ?? ''
  if (found !== '') return found
  throw new TunnelFailure('not set up', 'Enter the token of your Cloudflare tunnel.', { final: true })
}

function asFailure(heard: Pick<HeardLog, 'reason' | 'last'>, exit?: Exit): TunnelFailure {
  if (exit?.error)
    return new TunnelFailure(
      'not installed',
      `cloudflared can’t be started (${exit.error.code ?? 'unknown'}).`,
      {
        final: true,
        cause: exit.error,
      },
    )
  const reason = heard.reason ?? (exit ? 'process ended' : 'other side silent')
  const said = heard.last === '' ? '' : ` It says: ${heard.last.slice(0, 300)}`
  return new TunnelFailure(reason, (messages[reason] ?? messages['process ended'])! + said, {
    final: reason === 'sign-in rejected',
  })
}

const messages: Partial<Record<TunnelReason, string>> = {
  'rate limited': 'Cloudflare gives out no more temporary links to this network for now.',
  'sign-in rejected':
    'Cloudflare refuses the token. Is it that of a tunnel that still exists? Copy it from Cloudflare again.',
  offline: 'Cloudflare can’t be found. Is this machine online?',
  'network blocked':
    'Cloudflare can’t be reached. A firewall that stops port 7844, for UDP and TCP, would do that.',
  'other side silent': 'Cloudflare didn’t answer in time.',
  'process ended': 'cloudflared has ended.',
}
