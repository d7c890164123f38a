// WebKitGTK's MiniBrowser by WebDriver, which WebKitWebDriver speaks: https://www.w3.org/TR/webdriver2/
import net from 'node:net'
import { BrowserEnding, startProgram, waitForOutput, type RemoteBrowser } from './remote-browser.ts'

export interface WebKitPrograms {
  driver: string
  miniBrowser: string
  xvfb: string
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

export async function startWebKit({ driver, miniBrowser, xvfb }: WebKitPrograms): Promise<RemoteBrowser> {
  const ending = new BrowserEnding()
  try {
    // It has no headless mode.
    const screen = startProgram(
      ending,
      xvfb,
      ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    )
    const display = await waitForOutput(screen, screen.stdio[3] as NodeJS.ReadableStream, /(\d+)\n/)
    const port = await freePort()
    startProgram(ending, driver, ['--host=127.0.0.1', `--port=${port}`], {
      stdio: 'ignore',
      // Without a session bus, GTK would look for accessibility's for a while.
      env: { ...process.env, DISPLAY: `:${display}`, NO_AT_BRIDGE: '1', GDK_BACKEND: 'x11' },
    })
    const address = `http://127.0.0.1:${port}`
    const send = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
      const response = await fetch(address + path, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } }
      if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
      return value
    }
    await untilAnswers(address)
    const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] } },
      },
    })
    const session = `/session/${sessionId}`
    ending.add(() => send('DELETE', session).catch(() => undefined))
    await send('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 960 })
    return {
      navigate: (url) => send('POST', `${session}/url`, { url }),
      async run(body, ...args) {
        const value = await send<string | null>('POST', `${session}/execute/async`, {
          script: `const [args, done] = arguments
            ;(async () => JSON.stringify(await (function () { ${body} }).apply(null, JSON.parse(args))))()
              .then((value) => done({ value }), (error) => done({ error: String(error) }))`,
          args: [JSON.stringify(args)],
        })
        const { value: json, error } = value as unknown as { value?: string; error?: string }
        if (error) throw new Error(error)
        return json === undefined ? undefined : (JSON.parse(json) as unknown)
      },
      perform: (source) => send('POST', `${session}/actions`, { actions: [source] }),
      screenshot: async () => Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
      close: () => ending.run(),
    }
  } catch (error) {
    await ending.run()
    throw error
  }
}

async function untilAnswers(address: string): Promise<void> {
  for (let tries = 100; ; tries--)
    try {
      await fetch(`${address}/status`)
      return
    } catch (error) {
      if (tries === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}
