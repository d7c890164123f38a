import type { Browser, Page } from '@playwright/test'

/** How long keys took to be seen, in ms, and how much of its own time each task of the page took meanwhile. */
export interface Typed {
  keys: number[]
  tasks: number[]
}

interface Watched {
  galleyBenchKeys: number[]
}

/** From now on the page notes of each key when the frame that shows it has been drawn. */
export const watchKeys = (page: Page) =>
  page.evaluate(() => {
    const keys: number[] = []
    ;(window as unknown as Watched).galleyBenchKeys = keys
    const onKey = ({ timeStamp }: KeyboardEvent) =>
      requestAnimationFrame(() => {
        // A message is taken up right after the frame.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => keys.push(performance.now() - timeStamp)
        port2.postMessage(null)
      })
    addEventListener('keydown', onKey, { capture: true })
  })

/** Puts the cursor at the end of a line in the middle of the text. */
export async function goToMiddle(page: Page): Promise<void> {
  const scroller = page.locator('.cm-scroller')
  // Where lines aren't drawn yet their height is guessed: the second time it is known.
  for (let i = 0; i < 2; i++) {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await page.waitForTimeout(500)
  }
  const box = (await scroller.boundingBox())!
  const paragraphs = page.locator('.cm-line').filter({ hasText: /(\w+ ){12}/ })
  for (const line of await paragraphs.all()) {
    const place = (await line.boundingBox())!
    if (place.y < box.y + 100 || place.y + place.height > box.y + box.height - 100) continue
    await page.mouse.click(place.x + 40, place.y + 10)
    await page.keyboard.press('End')
    return
  }
  throw new Error('there is no paragraph in the middle of the text')
}

const words = 'the slow proof goes round the table once more before anybody has read it '

/** A person's pace, always the same: now and then a pause long enough that what is typed gets saved. */
const pauseAfter = (at: number) => (at % 40 === 39 ? 600 : 60 + ((at * 37) % 90))

/**
 * How long a key is held, in ms. A key let go while the frame that shows it is being drawn puts off the message by which
 * that frame's end is known until the next one, though the letter has been seen.
 */
const held = 40

/** Types letters as a person does. */
export async function typeLetters(page: Page, count: number, from = 0): Promise<number[]> {
  await page.evaluate(() => ((window as unknown as Watched).galleyBenchKeys.length = 0))
  for (let at = from; at < from + count; at++) {
    const key = words[at % words.length] === ' ' ? 'Space' : words[at % words.length]!
    await page.keyboard.press(key, { delay: held })
    await page.waitForTimeout(pauseAfter(at) - held)
  }
  return page.evaluate(() => [...(window as unknown as Watched).galleyBenchKeys])
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** `b` begins what lasts beyond a task, `e` ends it. */
  ph: string
  /** In microseconds. */
  ts: number
  id2?: { local?: string; global?: string }
  args: { event_latency?: { event_type?: string } }
  /** The thread’s own time, in microseconds, which what else runs on the machine doesn’t lengthen. */
  tdur?: number
}

async function traceEvents(
  browser: Browser,
  page: Page,
  categories: string[],
  act: () => Promise<void>,
): Promise<TraceEvent[]> {
  await browser.startTracing(page, { categories })
  await act()
  const trace = (await browser.stopTracing()).toString()
  return (JSON.parse(trace) as { traceEvents: TraceEvent[] }).traceEvents
}

/** How long Chromium itself says it took, in ms, from each letter’s key until the frame with it was shown. */
export async function typeShown(browser: Browser, page: Page, count: number): Promise<number[]> {
  const events = await traceEvents(
    browser,
    page,
    ['input.scrolling'],
    async () => void (await typeLetters(page, count)),
  )
  const begun = new Map<string, number>()
  const taken: number[] = []
  for (const { name, ph, pid, ts, id2, args } of events) {
    if (name !== 'EventLatency') continue
    const id = `${pid} ${id2?.local ?? id2?.global}`
    if (ph === 'b' && args.event_latency?.event_type === 'KEY_PRESSED') begun.set(id, ts)
    if (ph === 'e' && begun.has(id)) taken.push((ts - begun.get(id)!) / 1000)
  }
  return taken
}

/** The same, with all tasks of the page's main thread in it. */
export async function typeTraced(browser: Browser, page: Page, count: number): Promise<Typed> {
  const { result: keys, tasks } = await traced(browser, page, async () => {
    const keys = await typeLetters(page, count)
    // What was put off until the writer pauses counts, too.
    await page.waitForTimeout(3_000)
    return keys
  })
  return { keys, tasks }
}

/** How much of its own time each task of the page's main thread takes, while something is done with it. */
export async function traced<Result>(
  browser: Browser,
  page: Page,
  act: () => Promise<Result>,
): Promise<{ result: Result; tasks: number[] }> {
  const categories = ['disabled-by-default-devtools.timeline', 'blink.user_timing']
  let result!: Result
  const events = await traceEvents(browser, page, categories, async () => {
    await page.evaluate(() => performance.mark('galley-bench'))
    result = await act()
  })
  const here = events.find(({ name }) => name === 'galley-bench')!
  const tasks = events
    .filter(({ name, pid, tid }) => pid === here.pid && tid === here.tid && name === 'RunTask')
    .map(({ tdur = 0 }) => tdur / 1000)
  return { result, tasks }
}
