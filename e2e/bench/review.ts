/**
 * `npm run bench -- --review`: a text of 100 KB with 200 suggestions by five people beside the same text without any: how
 * long it takes to open, and the longest tasks while somebody scrolls and types. Prints a table; asserts nothing.
 */
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { OwnerServer } from '../owner.ts'
import { goToMiddle, traced, typeLetters, watchKeys } from './key/typing.ts'
import { prose } from './prose.ts'

const { values } = parseArgs({
  options: {
    review: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    letters: { type: 'string', default: '80' },
  },
})
const [rounds, letters] = [Number(values.rounds), Number(values.letters)]
const [people, each] = [5, 40]
/** A task that takes longer is felt. */
const longTask = 50
const text = prose(7, 100 * 1024)

const print = (...cells: string[]) =>
  process.stdout.write(`${cells.map((cell, i) => (i ? cell.padStart(12) : cell.padEnd(48))).join('')}\n`)
const ms = (time: number) => `${time.toFixed(1)} ms`
const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1]!

const server = await OwnerServer.start()
const browser = await chromium.launch({
  ...(process.env.GALLEY_CHROMIUM ? { executablePath: process.env.GALLEY_CHROMIUM } : {}),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
})
async function newContext(owner: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    storageState: owner ? server.signedIn : { cookies: [], origins: [] },
    viewport: { width: 1280, height: 860 },
  })
  await context.addInitScript(() => {
    const tasks: number[] = []
    Object.assign(window, { galleyLongTasks: tasks })
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
      buffered: true,
    })
  })
  return context
}

/** Tasks over 50 ms since the page began, by the clock: what else runs on the machine lengthens them. */
const longTasks = (page: Page) =>
  page.evaluate(() => (window as unknown as { galleyLongTasks: number[] }).galleyLongTasks)

/** Words put in, taken out, replaced, made bold, and a paragraph: in turns, all over the text. */
function suggestionsOf(person: number) {
  const words = [...text.matchAll(/\b\w{5,}\b/g)]
  return Array.from({ length: each }, (_, n) => {
    const { 0: word, index } =
      words[Math.floor((words.length * (n * people + person + 0.5)) / (people * each))]!
    const suggested = ['other words', '', `${word} and more`, `**${word}**`, `${word}.\n\nA paragraph.`][
      n % 5
    ]!
    const anchor = {
      exact: word,
      prefix: text.slice(Math.max(0, index - 32), index),
      suffix: text.slice(index + word.length, index + word.length + 32),
      start: index,
    }
    return { original_text: word, suggested_text: suggested, anchor }
  })
}

interface Document {
  id: string
  /** Of a link for suggestions. */
  address: string
  /** A guest’s, who has made a fifth of them. */
  guest: BrowserContext
}

async function create(hasSuggestions: boolean): Promise<Document> {
  const { id } = await server.create(text, hasSuggestions ? 'With suggestions' : 'Without')
  const contexts = await Promise.all(Array.from({ length: people }, () => newContext(false)))
  let own = ''
  for (const [person, context] of contexts.entries()) {
    // What may be made by a link in a minute is bounded.
    const { token } = await server.call<{ token: string }>('POST', `/api/documents/${id}/share`, {
      ...{ permission: 'edit', suggest_only: true },
    })
    const address = `${server.url}/share/${token}`
    if (person === 0) own = address
    const page = await context.newPage()
    await page.goto(address)
    if (hasSuggestions) {
      const data = { suggestions: suggestionsOf(person), author_name: `Reviewer ${person + 1}` }
      const url = `${server.url}/api/documents/${id}/suggestions/batch?share_token=${token}`
      const status = await page.evaluate(
        async ([url, body]) => {
          const headers = { 'content-type': 'application/json' }
          return (await fetch(url!, { method: 'POST', headers, body: body! })).status
        },
        [url, JSON.stringify(data)],
      )
      if (status !== 200) throw new Error(`the suggestions were answered ${status}`)
    }
    await page.close()
    if (person > 0) await context.close()
  }
  return { id, address: own, guest: contexts[0]! }
}

/** Waits until something is there that has been drawn; when that was, in the page’s time. */
const drawnAt = (page: Page, selector: string) =>
  page.evaluate(
    (selector) =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.querySelector(selector) ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      }),
    selector,
  )

const someSuggestion = '.cm-content :is(ins, del)'

async function openOwners({ id }: Document, has: boolean, context: BrowserContext) {
  const page = await context.newPage()
  await page.goto(`${server.url}/documents/${id}`, { waitUntil: 'commit' })
  return { page, time: await drawnAt(page, has ? someSuggestion : '.cm-line') }
}

async function openReaders({ address, guest }: Document) {
  const page = await guest.newPage()
  await page.goto(address, { waitUntil: 'commit' })
  return { page, time: await drawnAt(page, '#content p') }
}

async function openGuests({ address, guest }: Document, has: boolean) {
  const page = await guest.newPage()
  await page.goto(address)
  // What is drawn once the page is read already is none of this.
  await page.waitForTimeout(3_000)
  const button = page.getByRole('button', { name: 'Suggest', exact: true })
  await button.waitFor()
  const before = await page.evaluate(() => performance.now())
  await button.evaluate((element) => (element as HTMLElement).click())
  const time = (await drawnAt(page, has ? someSuggestion : '.cm-line')) - before
  return { page, time }
}

async function scroll(page: Page, by: number): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, by)
    await page.waitForTimeout(40)
  }
}

async function tell(name: string, page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.bringToFront()
  const { tasks } = await traced(browser, page, async () => {
    await act()
    // What was put off until there is a pause counts, too.
    await page.waitForTimeout(3_000)
  })
  const long = tasks.filter((time) => time > longTask)
  print(name, ms(Math.max(...tasks)), String(long.length))
}

async function useIt(name: string, page: Page): Promise<void> {
  await page.mouse.move(500, 400)
  await tell(`${name}, scrolling down`, page, () => scroll(page, 900))
  await tell(`${name}, scrolling up`, page, () => scroll(page, -500))
  await goToMiddle(page)
  await watchKeys(page)
  await tell(`${name}, ${letters} letters`, page, () => typeLetters(page, letters))
  const struck = page.locator('.cm-line:has(del.g-own)').first()
  for (let i = 0; i < 40 && (await struck.count()) === 0; i++) {
    await page.mouse.wheel(0, 400)
    await page.waitForTimeout(100)
  }
  if ((await struck.count()) === 0) return
  await struck.click()
  await page.keyboard.press('End')
  await tell(`${name}, in a line with struck words`, page, () => typeLetters(page, letters))
  await tell(`${name}, deleting there`, page, async () => {
    for (let i = 0; i < letters; i++) {
      await page.keyboard.press('Backspace')
      await page.waitForTimeout(60)
    }
  })
}

async function measure() {
  print(`${cpus()[0]!.model}, Chromium ${browser.version()}`)
  const documents = { without: await create(false), with: await create(true) }
  const owner = await newContext(true)
  const ways = { owner: openOwners, reader: openReaders, suggesting: openGuests }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const opened = Object.fromEntries(
    names.map((who) => [who, { without: [] as number[], with: [] as number[] }]),
  )
  const tasks = Object.fromEntries(
    names.map((who) => [who, { without: [] as number[], with: [] as number[] }]),
  )
  // The first opening of each warms the caches.
  for (let round = -1; round < rounds; round++)
    for (const which of ['without', 'with'] as const) {
      const has = which === 'with'
      for (const who of names) {
        const { page, time } = await ways[who](documents[which], has, owner)
        if (round >= 0) opened[who]![which].push(time)
        await page.waitForTimeout(2_500)
        if (round >= 0) tasks[who]![which].push(...(await longTasks(page)))
        await page.close()
      }
    }
  print('Opening, median', 'without', 'with', 'ratio', 'worst')
  for (const [who, times] of Object.entries(opened)) {
    const [a, b] = [median(times.without), median(times.with)]
    print(`  ${who}`, ms(a), ms(b), (b / a).toFixed(2), ms(Math.max(...times.with)))
  }
  print('Tasks over 50 ms meanwhile, by the clock', 'without', 'with', 'longest')
  for (const [who, found] of Object.entries(tasks))
    print(
      ...[`  ${who}`, String(found.without.length), String(found.with.length)],
      ms(Math.max(0, ...found.with)),
      `(${ms(Math.max(0, ...found.without))} without)`,
    )
  print('')
  print('Tasks', 'longest', 'over 50 ms')
  for (const which of ['without', 'with'] as const) {
    const has = which === 'with'
    const { page } = await openOwners(documents[which], has, owner)
    await page.waitForTimeout(2_000)
    await useIt(`  owner, ${which}`, page)
    await page.close()
    const reader = await openReaders(documents[which])
    await reader.page.waitForTimeout(2_000)
    await reader.page.mouse.move(500, 400)
    await tell(`  reader, ${which}, scrolling`, reader.page, () => scroll(reader.page, 900))
    await reader.page.close()
    const guest = await openGuests(documents[which], has)
    await guest.page.waitForTimeout(2_000)
    await useIt(`  suggesting, ${which}`, guest.page)
    await guest.page.close()
  }
}

try {
  await measure()
} finally {
  await browser.close()
  await server.stop()
}
