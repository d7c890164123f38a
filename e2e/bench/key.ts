/**
 * `npm run bench -- --key`: how long it takes until a key that was pressed is seen, in the owner's editor and in a page
 * with nothing but CodeMirror and markdown, in turns in one browser, by the page's own clock and by what Chromium says of
 * when the frame was shown; and the longest tasks while somebody types into a long text and it is saved. Prints a table;
 * asserts nothing.
 */
import { chromium, type Browser, type Page } from '@playwright/test'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { OwnerServer } from '../owner.ts'
import { serveBarePage } from './key/bare-page.ts'
import { goToMiddle, typeLetters, typeShown, typeTraced, watchKeys } from './key/typing.ts'
import { prose } from './prose.ts'

const { values } = parseArgs({
  options: {
    key: { type: 'boolean' },
    rounds: { type: 'string', default: '4' },
    letters: { type: 'string', default: '30' },
  },
})
const [rounds, letters] = [Number(values.rounds), Number(values.letters)]
const sizes = { '5 KB': 5 * 1024, '1 MB': 1024 * 1024 }
/** A task that takes longer is felt. */
const longTask = 50

const print = (...cells: string[]) =>
  process.stdout.write(`${cells.map((cell, i) => (i ? cell.padStart(11) : cell.padEnd(22))).join('')}\n`)
const ms = (time: number) => `${time.toFixed(1)} ms`
const quantile = (times: readonly number[], part: number) =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)]!

const texts = Object.fromEntries(Object.entries(sizes).map(([, size]) => [String(size), prose(7, size)]))
const bare = await serveBarePage(texts)
const server = await OwnerServer.start()
const browser = await chromium.launch({
  ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
})

async function openPage(url: string): Promise<Page> {
  const context = await browser.newContext({
    storageState: server.signedIn,
    viewport: { width: 1280, height: 860 },
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('.cm-content').waitFor()
  await goToMiddle(page)
  await watchKeys(page)
  return page
}

async function openBoth(size: number) {
  const { id } = await server.create(texts[size]!, `Of ${size} characters`)
  return {
    bare: await openPage(`${bare.url}/#${size}`),
    galley: await openPage(`${server.url}/documents/${id}`),
  }
}

async function compareKeys(name: string, pages: { bare: Page; galley: Page }) {
  const taken = { bare: [] as number[], galley: [] as number[] }
  for (const who of ['bare', 'galley'] as const) await typeLetters(pages[who], 10)
  for (let round = 0; round < rounds; round++)
    for (const who of ['bare', 'galley'] as const) {
      await pages[who].bringToFront()
      taken[who].push(...(await typeLetters(pages[who], letters, round * letters)))
    }
  tellRatio(`${name}, median`, taken, 0.5)
  tellRatio(`${name}, of 20 the worst`, taken, 0.95)
  const shown = { bare: [] as number[], galley: [] as number[] }
  for (const who of ['bare', 'galley'] as const) {
    await pages[who].bringToFront()
    shown[who] = await typeShown(browser, pages[who], 2 * letters)
  }
  tellRatio('  shown, says Chromium', shown, 0.5)
}

function tellRatio(name: string, taken: { bare: number[]; galley: number[] }, part: number) {
  const [a, b] = [quantile(taken.bare, part), quantile(taken.galley, part)]
  print(name, ms(a), ms(b), (b / a).toFixed(2))
}

async function tellTasks(name: string, page: Page, running: Browser) {
  await page.bringToFront()
  const { keys, tasks } = await typeTraced(running, page, 200)
  const long = tasks.filter((time) => time > longTask).length
  const perKey = tasks.reduce((sum, time) => sum + time, 0) / keys.length
  print(name, ms(Math.max(...tasks)), String(long), ms(perKey), ms(Math.max(...keys)))
}

async function measure() {
  print(`${cpus()[0]!.model}, Chromium ${browser.version()}`)
  print('From key to frame', 'bare', 'Galley', 'ratio')
  for (const [name, size] of Object.entries(sizes)) {
    const pages = await openBoth(size)
    await compareKeys(name, pages)
    if (size === sizes['1 MB']) {
      print('')
      print('Tasks, 200 letters', 'longest', 'over 50 ms', 'per letter', 'worst key')
      for (const who of ['bare', 'galley'] as const) await tellTasks(`  ${who}`, pages[who], browser)
    }
    for (const page of Object.values(pages)) await page.context().close()
  }
}

try {
  await measure()
} finally {
  await browser.close()
  await server.stop()
  bare.stop()
}
