import type { FeedbackNews, SharingNow } from '../../server/contract/events.ts'
import type { MigrationProgress } from '../../server/index.ts'
import { backOff } from '../../server/platform/back-off.ts'
import type {
  FromServer,
  ServerAddresses,
  ServerFailure,
  ServerOptions,
  SessionCookie,
  ToServer,
} from './server-messages.ts'
import type { SecretOutcome, SecretRequest } from '../secrets/secret-request.ts'

/** What a host needs of a process: the part of Electron's `UtilityProcess` that it uses. */
export interface ServerChild {
  postMessage(message: ToServer): void
  on(event: 'message', listener: (message: FromServer) => void): unknown
  once(event: 'exit', listener: (code: number) => void): unknown
  kill(): unknown
}

export interface ServerHostOptions {
  fork: () => ServerChild
  options: ServerOptions
  /** It answers: for the first time, or again after it had gone. */
  onReady: (facts: ServerAddresses) => void
  /** It brings the database of an older Galley up to date first. */
  onMigrating: (progress: MigrationProgress) => void
  /** It can't come up, and a person has to know. */
  onFailed: (failure: ServerFailure) => void
  /** It asks for a secret, or has one kept. */
  onSecret: (request: SecretRequest) => Promise<SecretOutcome>
  /** What is shared; undefined from when the server has gone until it is back. */
  onSharing: (sharing: SharingNow | undefined) => void
  onFeedback: (feedback: FeedbackNews) => void
}

export interface ServerHost {
  /** Starts the server now, if there is none. */
  start(): void
  /** Signs the machine's own user in. */
  createSession(): Promise<SessionCookie>
  /** Has every link open nothing, or be again what it was. Rejects where that isn't known to have been done. */
  setSharing(wanted: { stopped: boolean }): Promise<void>
  /** The machine was asleep, and with it whatever led here from elsewhere: the server looks at once. */
  wake(): void
  /** Ends the server after it has closed its database, and keeps everyone from starting it until `resume`. */
  pause(): Promise<void>
  resume(): void
  /** Ends the server after it has closed its database. Nothing starts it again. */
  close(): Promise<void>
}

const restarts = { first: 500, longest: 30_000 }
/** A server that has run this long is well again: the next crash is the first one. */
const steadyAfter = 60_000
/** So many crashes in a row are told; fewer are mended before anyone has to know. */
const toldAfter = 4
/** A server that is still closing after this long is ended. It cuts off its own requests much earlier. */
const patience = 10_000

/**
 * Runs the server in a process of its own and watches it. A server that never came up waits for `start` to be called
 * again; one that has run is started again by itself, on the ports it had, so that open windows find it where it was.
 */
export function hostServer({ fork, options, ...host }: ServerHostOptions): ServerHost {
  let child: ServerChild | undefined
  let ended = Promise.resolve()
  let known: ServerAddresses | undefined
  let crashes = 0
  let again: NodeJS.Timeout | undefined
  let closing = false
  let paused = false
  const cookies = createQuestions<SessionCookie>()
  const settings = createQuestions<void>()

  const portsOf = ({ url, shareUrl }: ServerAddresses) => ({
    port: Number(new URL(url).port),
    sharePort: Number(new URL(shareUrl).port),
  })

  function start() {
    if (child || closing || paused) return
    clearTimeout(again)
    const own = fork()
    child = own
    let failure: ServerFailure | undefined
    let steady: NodeJS.Timeout | undefined
    let ready = false

    own.on('message', (message) => {
      if (message.type === 'ready') {
        const { url, shareUrl } = message
        ready = true
        known = { url, shareUrl }
        steady = setTimeout(() => (crashes = 0), steadyAfter)
        host.onReady(known)
      } else if (message.type === 'migrating') {
        host.onMigrating(message.progress)
      } else if (message.type === 'failed') {
        failure = message.failure
        own.kill()
      } else if (message.type === 'secret') {
        const { id, request } = message
        // Not to the process that came after one that has gone: it never asked.
        void host.onSecret(request).then((outcome) => {
          if (child === own) own.postMessage({ type: 'secret', id, outcome })
        })
      } else if (message.type === 'session') {
        cookies.answer(message.id, message.cookie)
      } else if (message.type === 'sharing-set') {
        if (message.done) settings.answer(message.id)
        else settings.refuse(message.id, 'The server could not do it.')
      } else if (message.type === 'sharing') {
        host.onSharing(message.sharing)
      } else {
        host.onFeedback(message.feedback)
      }
    })
    ended = new Promise((resolve) => {
      own.once('exit', (code) => {
        clearTimeout(steady)
        child = undefined
        host.onSharing(undefined)
        cookies.giveUp()
        settings.giveUp()
        resolve()
        if (!closing && !paused)
          goOn(ready, failure ?? { reason: 'crashed', message: `It ended with code ${code}.` })
      })
    })
    own.postMessage({ type: 'start', options: known ? { ...options, ...portsOf(known) } : options })
  }

  function goOn(wasReady: boolean, failure: ServerFailure) {
    if (known) again = setTimeout(start, backOff(crashes++, restarts))
    if (failure.reason !== 'crashed' || !(wasReady || known) || crashes === toldAfter) host.onFailed(failure)
  }

  async function end() {
    clearTimeout(again)
    if (!child) return
    const own = child
    own.postMessage({ type: 'close' })
    const impatience = setTimeout(() => own.kill(), patience)
    await ended
    clearTimeout(impatience)
  }

  return {
    start,
    createSession: () => cookies.ask(child, (id) => ({ type: 'create-session', id })),
    setSharing: ({ stopped }) => settings.ask(child, (id) => ({ type: 'set-sharing', id, stopped })),
    wake: () => child?.postMessage({ type: 'wake' }),
    pause() {
      paused = true
      return end()
    },
    resume() {
      paused = false
      start()
    },
    close() {
      closing = true
      return end()
    },
  }
}

/** What the server was asked and hasn't answered yet. */
function createQuestions<Answer>() {
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (why: Error) => void }>()
  let last = 0
  return {
    ask: (child: ServerChild | undefined, message: (id: number) => ToServer) =>
      new Promise<Answer>((resolve, reject) => {
        if (!child) return reject(new Error('The server is not running.'))
        const id = ++last
        waiting.set(id, { resolve, reject })
        child.postMessage(message(id))
      }),
    answer(id: number, answer: Answer) {
      waiting.get(id)?.resolve(answer)
      waiting.delete(id)
    },
    refuse(id: number, why: string) {
      waiting.get(id)?.reject(new Error(why))
      waiting.delete(id)
    },
    /** The server that was asked has gone. */
    giveUp() {
      for (const { reject } of waiting.values()) reject(new Error('The server has gone.'))
      waiting.clear()
    },
  }
}
