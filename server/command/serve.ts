import { limits } from '../contract/limits.ts'
import { isLoopback } from '../domain/host.ts'
import { UsageError, type CommandDefinition } from './command.ts'
import { saveMemoryWhileIdle, startWithoutCompilers } from '../platform/memory-saving.ts'
import { explainOpening } from '../store/open-error.ts'
import { keepCompiled } from './compile-cache.ts'
import { jsonOption } from './json.ts'
import { readTunnelOptions, tunnelHelp, tunnelOptions } from './tunnel-options.ts'

const port = (name: string, value: unknown): number | undefined => {
  if (value === undefined) return undefined
  const number = /^\d{1,5}$/.test(String(value)) ? Number(value) : NaN
  if (!(number <= 65535))
    throw new UsageError(`--${name} takes a port number from 0 to 65535, not “${String(value)}”.`)
  return number
}

/** An address without a path, such as a browser shows it. */
function originFrom(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(String(value))
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  if (!isOrigin || url.username !== '')
    throw new UsageError(`--url takes an address such as https://galley.example.org, not “${String(value)}”.`)
  return url.origin
}

export const serve: CommandDefinition = {
  name: 'serve',
  usage: '[--port N] [--share-port N] [--host H --allow-host NAME …] [--tunnel KIND …] [--json]',
  summary: 'Run Galley without a window, until it is told to stop.',
  options: {
    port: { type: 'string' },
    'share-port': { type: 'string' },
    host: { type: 'string' },
    'allow-host': { type: 'string', multiple: true },
    url: { type: 'string' },
    'api-keys-on-share-port': { type: 'boolean' },
    ...tunnelOptions,
    'log-level': { type: 'string' },
    ...jsonOption,
  },
  help: [
    ['--port N', 'port of the owner’s listener; 0 takes a free one (4780, or a free one if that is taken)'],
    [
      '--share-port N',
      'port of the recipients’ listener, which a tunnel or reverse proxy may forward to (4781)',
    ],
    ['--host H', 'address the owner’s listener listens on (127.0.0.1)'],
    [
      '--allow-host NAME',
      'a name Galley may be called by; once for each, with a port if it is always the same',
    ],
    [
      '--url URL',
      'where a TLS proxy of yours lets browsers reach the owner’s listener, such as https://galley.example.org; printed links start with it',
    ],
    ['--api-keys-on-share-port', 'let API keys work on the recipients’ listener too'],
    ...tunnelHelp,
    ['--log-level L', 'trace, debug, info, warn, error or silent (warn); the log goes to standard error'],
    ['--json', 'print the addresses as JSON on one line once they are there, for programs'],
  ],
  async run({ values, dataFolder, terminal }) {
    const host = values['host'] as string | undefined
    const allowHosts = (values['allow-host'] as string[] | undefined) ?? []
    const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']
    const logLevel = (values['log-level'] as string | undefined) ?? 'warn'
    if (!levels.includes(logLevel)) throw new UsageError(`--log-level is one of ${levels.join(', ')}.`)
    const ownerUrl = originFrom(values['url'])
    if (host !== undefined && !isLoopback(host)) {
      if (allowHosts.length === 0 && ownerUrl === undefined) {
        throw new UsageError(
          '--host opens Galley to other machines; say with --allow-host by which name they may call it.',
        )
      }
      terminal.error(
        `Warning: the owner’s listener is open to everyone who can reach ${host}. Whoever holds a sign-in link or an API key can do everything; put TLS in front of it.`,
      )
    }
    const tunnel = readTunnelOptions(values)
    const ports = { port: port('port', values['port']), sharePort: port('share-port', values['share-port']) }
    // Listened for from here on, so that whoever reads “ready” and stops it at once finds it stopping cleanly too.
    const stopped = stopSignal()
    const started = startWithoutCompilers()
    keepCompiled()
    const { createGalley } = await import('../app.ts')
    const galley = await createGalley({
      dataFolder,
      onMigration: started,
      allowHosts,
      logLevel,
      apiKeysOnShareListener: values['api-keys-on-share-port'] === true,
      ...(tunnel === undefined ? {} : { tunnel }),
      ...(host === undefined ? {} : { host }),
      ...(ownerUrl === undefined ? {} : { ownerUrl }),
      ...(ports.port === undefined ? {} : { port: ports.port }),
      ...(ports.sharePort === undefined ? {} : { sharePort: ports.sharePort }),
    })
    started()
    saveMemoryWhileIdle({ release: galley.releaseMemory })
    const isJson = values['json'] === true
    const say = (line: string) => isJson || terminal.out(line)
    say(`Galley is ready at ${galley.url}`)
    process.on('uncaughtException', (error) => {
      if (!galley.survive(error)) process.exit(1)
    })
    let signIn: string | null = null
    const tellSignIn = (url: string) =>
      terminal.out(`Sign in (once, within ${limits.signInLinkMinutes} minutes): ${url}`)
    try {
      signIn = galley.signInUrl()
      if (!isJson) tellSignIn(signIn)
    } catch (error) {
      terminal.error(
        `Warning: there is no sign-in link now; it will be here once it can be written. ${explainOpening(error, dataFolder).message}`,
      )
      galley.signInUrlLater(isJson ? terminal.error : tellSignIn)
    }
    const shares = galley.publicAddress() ?? galley.shareUrl
    say(`Share links start with ${shares}/share/`)
    const before = galley.sharePortBefore
    if (before !== undefined)
      terminal.error(
        `Warning: share links were at port ${before} until now; those that were sent with it in their address don’t open at the new one. “--share-port ${before}” goes back to it.`,
      )
    for (const { message } of galley.problems()) terminal.error(`Warning: ${message}`)
    if (tunnel) say('“galley tunnel status” tells whether they open from elsewhere.')
    say(`Documents are in ${dataFolder}. Ctrl+C stops.`)
    if (isJson)
      terminal.out(
        JSON.stringify({ url: galley.url, share_url: shares, sign_in_url: signIn, data: dataFolder }),
      )
    await stopped
    await galley.close()
    return 0
  },
}

/** What a launcher, a shell and a service manager each hand on counts as one signal when it comes within this time. */
const handedOn = 1_500

/** The first signal stops cleanly; a later second one finds the usual behaviour and ends the process at once. */
const stopSignal = () =>
  new Promise<void>((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    let grace: NodeJS.Timeout | undefined
    const stop = () => {
      grace ??= setTimeout(() => {
        for (const signal of signals) process.off(signal, stop)
      }, handedOn).unref()
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
    if (process.env['GALLEY_LEASHED'] && process.channel) {
      // The launcher is gone, however it went.
      process.once('disconnect', resolve)
      // Waiting for that keeps nothing running that has otherwise ended.
      process.channel.unref()
    }
  })
