// Firefox by WebDriver BiDi, which it speaks itself: https://w3c.github.io/webdriver-bidi/
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { WebSocket } from 'ws'
import {
  BrowserEnding,
  makeFolder,
  startProgram,
  waitForOutput,
  type RemoteBrowser,
} from './remote-browser.ts'

type Answer = { id: number; result?: never; error?: string; message?: string }
type Evaluated = { type: string; result?: { value?: string }; exceptionDetails?: { text: string } }

/** Preferences that keep a fresh profile from asking, fetching and updating. */
const preferences = {
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'services.settings.server': 'data:,#',
  'toolkit.telemetry.server': 'data:,',
  'extensions.systemAddon.update.enabled': false,
  'remote.prefs.recommended': true,
  // Headless, it finds no mouse: fine (2), and hovers (4).
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
}

export async function startFirefox(program: string): Promise<RemoteBrowser> {
  const ending = new BrowserEnding()
  try {
    const profile = makeFolder(ending, 'firefox')
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    )
    writeFileSync(path.join(profile, 'user.js'), lines.join('\n'))
    const child = startProgram(
      ending,
      program,
      ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' },
      },
    )
    const address = await waitForOutput(child, child.stderr!, /BiDi listening on (ws:\S+)/)
    const socket = new WebSocket(`${address}/session`)
    ending.add(() => socket.terminate())
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))

    const waiting = new Map<number, (answer: Answer) => void>()
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Answer
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    })
    let sent = 0
    const send = async <Result>(method: string, params: object): Promise<Result> => {
      const id = ++sent
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve)
        socket.send(JSON.stringify({ id, method, params }))
      })
      if (answer.error) throw new Error(`${method}: ${answer.error}: ${answer.message}`)
      return answer.result as Result
    }

    await send('session.new', { capabilities: {} })
    const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
    const { context } = contexts[0]!
    await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } })
    return {
      navigate: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
      async run(body, ...args) {
        const answer = await send<Evaluated>('script.callFunction', {
          functionDeclaration: `async (args) => JSON.stringify(await (function () { ${body} }).apply(null, JSON.parse(args)))`,
          arguments: [{ type: 'string', value: JSON.stringify(args) }],
          target: { context },
          awaitPromise: true,
          userActivation: true,
        })
        if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text)
        const { value } = answer.result!
        return value === undefined ? undefined : (JSON.parse(value) as unknown)
      },
      perform: (source) => send('input.performActions', { context, actions: [source] }),
      async screenshot() {
        const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context })
        return Buffer.from(data, 'base64')
      },
      close: () => ending.run(),
    }
  } catch (error) {
    await ending.run()
    throw error
  }
}
