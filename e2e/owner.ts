// What specs about the owner's app share: a server of their own, a browser that is signed in, and the API to see what
// the server really has.
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runGalley, startGalley, type GalleyProcess } from './galley-process.ts'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export interface StoredDocument {
  id: string
  title: string
  content: string
  revision: number
}

/** The owner's server, which can go away and come back at the same address. */
export class OwnerServer {
  readonly url: string
  readonly signedIn: StorageState
  #process: GalleyProcess
  readonly #data: string
  readonly #key: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(
    process: GalleyProcess,
    data: string,
    key: string,
    signedIn: StorageState,
    env: NodeJS.ProcessEnv,
  ) {
    this.#process = process
    this.url = process.url
    this.#data = data
    this.#key = key
    this.signedIn = signedIn
    this.#env = env
  }

  /** Runs `galley …` on this machine, as its owner does in a terminal; what it prints. */
  run(...args: string[]): string {
    const { status, stdout, stderr } = runGalley(this.#data, ...args)
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }

  static async start(env = process.env): Promise<OwnerServer> {
    const data = mkdtempSync(path.join(tmpdir(), 'galley-owner-'))
    const key = runGalley(data, 'key', 'create', '--name', 'e2e').stdout.trim()
    const process = await startGalley(data, '0', env)
    const response = await fetch(`${process.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket: process.signInLink.split('#')[1] }),
    })
    const [, name, value] = /^(\w+)=(\w+)/.exec(response.headers.get('set-cookie')!)!
    const cookie = { name: name!, value: value!, domain: new URL(process.url).hostname, path: '/' }
    const rest = { expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' as const }
    return new OwnerServer(process, data, key, { cookies: [{ ...cookie, ...rest }], origins: [] }, env)
  }

  /** A sign-in link that nobody has used; of one start there is one. */
  get signInLink(): string {
    return this.#process.signInLink
  }

  /** Ends it at once, as far as a browser can tell. */
  goAway(): Promise<void> {
    return this.#process.kill()
  }

  /** It neither answers nor refuses anything. */
  sleep(): void {
    this.#process.sleep()
  }

  wake(): void {
    this.#process.wake()
  }

  async comeBack(): Promise<void> {
    this.#process = await startGalley(this.#data, new URL(this.url).port, this.#env)
  }

  async stop(): Promise<void> {
    await this.#process.stop()
    rmSync(this.#data, { recursive: true, force: true })
  }

  /** A call by the owner's key, whatever the browser does; answers `data`, and throws the error's code. */
  async call<Data = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Data> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${this.#key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (response.status === 204) return undefined as Data
    const envelope = (await response.json()) as { data: never; error: { code: string } | null }
    if (envelope.error) throw new Error(envelope.error.code)
    return envelope.data
  }

  create(content: string, title = 'On proofs'): Promise<StoredDocument> {
    return this.call('POST', '/api/documents', { title, content })
  }

  async addFile({ id }: { id: string }, name: string, bytes: Buffer): Promise<void> {
    const url = `${this.url}/api/documents/${id}/files?name=${encodeURIComponent(name)}`
    const headers = {
      authorization: `Bearer ${this.#key}`,
      'content-type': 'application/octet-stream',
    }
    const { status } = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) })
    if (status !== 201) throw new Error(`${name} was answered ${status}`)
  }

  get({ id }: { id: string }): Promise<StoredDocument> {
    return this.call('GET', `/api/documents/${id}`)
  }

  change({ id }: { id: string }, content: string): Promise<StoredDocument> {
    return this.call('PATCH', `/api/documents/${id}`, { content })
  }

  /** Changes the text as it is at this moment, whoever else is changing it. */
  async edit(document: { id: string }, change: (content: string) => string): Promise<StoredDocument> {
    for (;;) {
      const { content, revision } = await this.get(document)
      const body = { content: change(content) }
      try {
        return await this.call('PATCH', `/api/documents/${document.id}`, body, {
          'if-match': `"${revision}"`,
        })
      } catch (error) {
        if ((error as Error).message !== 'PRECONDITION_FAILED') throw error
      }
    }
  }

  /** Whether a document is still there. */
  has({ id }: { id: string }): Promise<boolean> {
    return this.get({ id }).then(
      () => true,
      (error: Error) => error.message !== 'NOT_FOUND' && Promise.reject(error),
    )
  }

  async deleteAll(): Promise<void> {
    const all = await this.call<{ id: string }[]>('GET', '/api/documents?limit=100')
    for (const { id } of all) await this.call('DELETE', `/api/documents/${id}`)
    await this.call('DELETE', '/api/trash')
  }
}

interface Troubles {
  /** Fails the test when a script of the page throws, or the framework warns of how it is used in any page. */
  troubles: undefined
}

/** `page` is signed in; `server` is one for all tests of a spec. */
export const test = base.extend<Troubles, { server: OwnerServer }>({
  server: [
    // Playwright wants to see that nothing is asked for.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await OwnerServer.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  storageState: ({ server }, use) => use(server.signedIn),
  viewport: { width: 1280, height: 860 },
  permissions: ['clipboard-read', 'clipboard-write'],
  troubles: [
    async ({ context, page }, use) => {
      const troubles: string[] = []
      page.on('pageerror', (error) => troubles.push(String(error)))
      context.on('console', (message) => {
        if (message.text().includes('svelte.dev')) troubles.push(message.text())
      })
      await use(undefined)
      expect(troubles).toEqual([])
    },
    { auto: true },
  ],
})

export const editor = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
export const saveState = (page: Page) => page.locator('[data-save-state]')

/** Opens a document and waits until it can be typed in. */
export async function open(page: Page, { id }: { id: string }): Promise<void> {
  await page.goto(`/documents/${id}`)
  await expect(editor(page)).toBeFocused()
}

/** Opens a document and types at its end. */
export async function write(page: Page, document: { id: string }, words: string): Promise<void> {
  await open(page, document)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(words)
}

/** Makes a document by the button of its page, and types into its text; where it is. */
export async function newDocument(page: Page, words: string): Promise<string> {
  await page.getByRole('button', { name: 'New document' }).first().click()
  // The title takes the focus as soon as the page is there: from the text, too, if somebody was quicker.
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await editor(page).click()
  await page.keyboard.type(words)
  await expect(editor(page)).toContainText(words)
  return new URL(page.url()).pathname
}

export async function expectSaved(page: Page): Promise<void> {
  await expect(saveState(page)).toHaveAttribute('data-save-state', 'saved')
  await expect(saveState(page)).toHaveText('Saved')
}

/** From the next page on, nothing is looked for every few seconds: news comes by being asked for, or told. */
export const neverLookByItself = (page: Page) =>
  page.addInitScript(() => {
    const after = globalThis.setTimeout
    const every = globalThis.setInterval
    const rarely = (ms = 0) => ms >= 3000
    globalThis.setTimeout = ((run: () => void, ms?: number) =>
      rarely(ms) ? 0 : after(run, ms)) as typeof setTimeout
    globalThis.setInterval = ((run: () => void, ms?: number) =>
      rarely(ms) ? 0 : every(run, ms)) as typeof setInterval
  })

/** Presses a button that asks for another attempt, unless that was made by itself before it could be pressed. */
const pressUnlessGone = (page: Page, name: string) =>
  page
    .getByRole('button', { name })
    .evaluateAll((buttons) => (buttons as HTMLElement[]).forEach((button) => button.click()))
export const tryNow = (page: Page) => pressUnlessGone(page, 'Try now')
export const tryAgain = (page: Page) => pressUnlessGone(page, 'Try again')

/** Waits until the server has exactly this text. */
export const expectStored = (server: OwnerServer, document: { id: string }, content: string) =>
  expect.poll(async () => (await server.get(document)).content).toBe(content)

/** Makes the page look for news now instead of in a while. */
export const lookAgain = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')))
