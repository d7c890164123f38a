import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QueueFull } from '../threads/fair-queue.ts'
import { createRenderer } from './index.ts'
import { renderMarkdown } from './render.ts'

interface Pathological {
  name: string
  parts: Part[] | null
}
type Part =
  | { literal: string }
  | { repeat: string; times: number }
  | { series: { from: number; to: number; before?: string; pad?: string; number?: boolean; then: string } }

/** A worker that says what it was asked, and how often it has been asked. */
const workerThat = (answers: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    let count = 0
    parentPort.on('message', ({ kind, source }) => {
      parentPort.postMessage({ kind: 'begun' })
      ${answers}
      parentPort.postMessage({ kind: 'done', result: { html: kind + ' ' + source + ' ' + ++count } })
    })
    parentPort.postMessage({ kind: 'ready' })`)}`,
  )
const counting = workerThat('')
const stuckOn = (these: string) => workerThat(`if (${these}) return`)
const guest = (document: string) => ({ document, member: `link of ${document}`, guest: true })
const one = { start: 0, end: 1 }

describe('the renderer', () => {
  it('renders in a worker', async () => {
    const renderer = createRenderer()
    const { html, limited } = await renderer.render('# Hello *you*')
    expect(html).toContain('Hello <em>you</em></h1>')
    expect(limited).toBeNull()
    await renderer.close()
  })

  it('shows the source, escaped and with a notice, when a text takes too long', async () => {
    const quick = createRenderer({ timeoutMs: 50 })
    const result = await quick.render('<b>' + '*a_ '.repeat(1_000_000))
    expect(result.limited).toBe('time')
    expect(result.html).toContain('class="limited"')
    expect(result.html).toContain('&lt;b&gt;*a_ *a_')
    await quick.close()
  })

  it('doesn’t count the time in which its worker loads what a text needs', async () => {
    const worker = (afterwards: string) =>
      new URL(
        `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads'
        parentPort.on('message', () => setTimeout(() => {
          parentPort.postMessage({ kind: 'begun' })
          ${afterwards}
        }, 400))
        parentPort.postMessage({ kind: 'ready' })`)}`,
      )
    const done = `parentPort.postMessage({ kind: 'done', result: { html: 'late' } })`
    const slow = createRenderer({ timeoutMs: 100, workerUrl: worker(done) })
    expect((await slow.render('one')).html).toBe('late')
    await slow.close()
    const stuck = createRenderer({ timeoutMs: 100, workerUrl: worker('') })
    expect((await stuck.render('one')).limited).toBe('time')
    await stuck.close()
  })

  it('doesn’t count the time in which a busy machine lets its worker do nothing', async () => {
    const nothing = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)`
    const starved = createRenderer({ timeoutMs: 500, workerUrl: workerThat(nothing) })
    expect((await starved.render('one')).html).toBe('render one 1')
    await starved.close()
  })

  it('answers the jobs behind one that had to be stopped', async () => {
    const quick = createRenderer({ timeoutMs: 300 })
    const results = await Promise.all([
      quick.render('one'),
      quick.render('*a_ '.repeat(1_000_000)),
      quick.render('three'),
      quick.renderedRanges('four', [{ start: 0, end: 4 }]),
    ])
    expect(results.map(({ limited }) => limited)).toEqual([null, 'time', null, null])
    expect(results[2].html).toContain('<p>three</p>')
    const four = { from: { block: 0, char: 0 }, to: { block: 0, char: 4 }, source: { start: 0, end: 4 } }
    expect(results[3].found).toEqual([four])
    await quick.close()
  })

  it('remembers what it had to stop, so that many readers of it cost no more than one', async () => {
    const begun: string[] = []
    const channel = new BroadcastChannel('what the renderer began')
    channel.onmessage = ({ data }: MessageEvent<string>) => void begun.push(data)
    const told = `const told = new BroadcastChannel('what the renderer began'); told.postMessage(source); told.close()`
    const quick = createRenderer({
      timeoutMs: 300,
      workerUrl: workerThat(`${told}; if (source === 'hostile') return`),
    })
    const all = await Promise.all([
      ...Array.from({ length: 30 }, () => quick.render('hostile')),
      quick.render('last'),
    ])
    expect(all.map(({ limited }) => limited)).toEqual([
      ...Array.from({ length: 30 }, () => 'time'),
      undefined,
    ])
    await expect.poll(() => begun).toEqual(['hostile', 'last'])
    channel.close()
    await quick.close()
  })

  it('renders what many ask for at once a single time', async () => {
    const counted = createRenderer({ workerUrl: counting })
    const all = await Promise.all(Array.from({ length: 40 }, () => counted.render('one', guest('a'))))
    expect(new Set(all.map(({ html }) => html))).toEqual(new Set(['render one 1']))
    const later = await Promise.all([counted.render('one'), counted.renderedRanges('one', [one])])
    expect(later).toMatchObject([{ html: 'render one 2' }, { found: { html: 'renderedRanges one 3' } }])
    await counted.close()
  })

  it('has nobody wait behind the slow texts of others', async () => {
    const quick = createRenderer({ timeoutMs: 500, workerUrl: stuckOn(`source.startsWith('slow')`) })
    const ended: string[] = []
    const slow = Array.from({ length: 5 }, (_, n) => ['one', 'two', 'three'].map((link) => ({ n, link })))
    const all = slow
      .flat()
      .map(({ n, link }) =>
        quick.render(`slow ${link} ${n}`, guest(link)).then(() => void ended.push(`${link} ${n}`)),
      )
    // Each of the three has had its turn, and is known to be slow.
    await Promise.all(all.slice(0, 3))
    await quick.render('fine', guest('four'))
    expect(ended.length).toBeLessThan(9)
    await Promise.all([quick.close(), Promise.allSettled(all)])
  }, 30_000)

  it('refuses guests whose jobs it has no more room for, and goes on', async () => {
    const small = createRenderer({ workerUrl: counting, queue: { perMember: 2 } })
    const asked = await Promise.allSettled(
      Array.from({ length: 5 }, (_, n) => small.render(`text ${n}`, guest('a'))),
    )
    expect(asked.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled'],
      ...['rejected', 'rejected'],
    ])
    expect(asked[4]).toMatchObject({ reason: expect.any(QueueFull) as unknown })
    expect((await small.render('text 4', guest('a'))).html).toBe('render text 4 4')
    await small.close()
  })

  it('finds ten thousand places in one long table', { timeout: 60_000 }, async () => {
    const patient = createRenderer({ timeoutMs: 5_000 })
    const row = '| some words | *others* |\n'
    const head = '| a | b |\n|-|-|\n'
    const ranges = Array.from({ length: 10_000 }, (_, n) => {
      const start = head.length + n * row.length + 2
      return { start, end: start + 4 }
    })
    const { found, limited } = await patient.renderedRanges(head + row.repeat(10_000), ranges)
    expect([limited, found?.every((range) => range !== null)]).toEqual([null, true])
    await patient.close()
  })

  it('renders the page of a text whose marks were given up', async () => {
    const quick = createRenderer({ timeoutMs: 300, workerUrl: stuckOn(`kind === 'renderedRanges'`) })
    expect(await quick.renderedRanges('one', [one])).toEqual({ found: null, limited: 'time' })
    expect(await quick.renderedRanges('one', [one])).toEqual({ found: null, limited: 'time' })
    expect((await quick.render('one')).html).toBe('render one 1')
    await quick.close()
  })

  it('stops a text that nests too deep, and one that becomes too large', async () => {
    const patient = createRenderer({ timeoutMs: 20_000 })
    expect((await patient.render('> '.repeat(10_000) + 'a')).limited).toBe('depth')
    const growing = `[a]: x "${'t'.repeat(10_000)}"\n\n${'[a] '.repeat(50_000)}`
    expect((await patient.render(growing)).limited).toBe('size')
    await patient.close()
  })

  it('survives a text that needs more memory than the worker has', async () => {
    const small = createRenderer({ maxMemoryMb: 16, timeoutMs: 20_000, maxOutput: Infinity })
    const result = await small.render('a *b* `c` [d](e)\n\n'.repeat(40_000))
    expect(result.limited).toBe('size')
    expect((await small.render('fine')).limited).toBeNull()
    await small.close()
  })

  it('starts again after it let an idle worker go', async () => {
    const brief = createRenderer({ idleMs: 1 })
    expect((await brief.render('one')).html).toContain('one')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await brief.render('two')).html).toContain('two')
    await brief.close()
  })

  it('rejects what is unanswered when it closes, and everything after', async () => {
    const closing = createRenderer()
    const unanswered = closing.render('one')
    const failed = expect(unanswered).rejects.toThrow('closed')
    await closing.close()
    await failed
    await expect(closing.render('two')).rejects.toThrow('closed')
  })

  it('says so when its worker cannot start', async () => {
    const broken = createRenderer({ workerUrl: new URL('./no-such-worker.ts', import.meta.url) })
    await expect(broken.render('one')).rejects.toThrow()
    await broken.close()
  })
})

describe('texts made to hurt', () => {
  const corpus = readCorpus()
  if (!corpus) {
    it.skip('are not run: ../shared/corpora/pathological.json is not here', () => {})
    return
  }

  it('are all here', () => {
    expect(corpus).toHaveLength(96)
    expect(corpus.filter(({ parts }) => !parts).map(({ name }) => name)).toEqual(['reference collisions'])
  })

  // What is refused holds up nobody more after the usual time than after this.
  const renderer = createRenderer({ timeoutMs: 250 })
  afterAll(() => renderer.close())

  /** What a usual text costs where it is rendered, on the machine that this runs on. */
  let own = 0
  beforeAll(() => {
    const prose = 'Words, *some* of them [linked](https://example.org), and `code`.\n\n'.repeat(1_600)
    const before = process.threadCpuUsage()
    renderMarkdown(prose)
    own = process.threadCpuUsage(before).user
  })

  it.each(corpus)(
    '$name: is rendered or refused in time, and holds up nobody',
    async ({ parts }) => {
      const source = parts ? build(parts) : collidingReferences()
      const before = process.threadCpuUsage()
      const [result, bystander] = await Promise.all([
        renderer.render(source),
        renderer.render('a *bystander*'),
      ])
      // Of this thread, which everybody's requests share.
      // What the system takes to hand out memory is no work of ours, and on some machines far more than that.
      const { user } = process.threadCpuUsage(before)
      expect(result.html).toBeTypeOf('string')
      expect(bystander.html).toContain('a <em>bystander</em>')
      expect(user / own, 'beside rendering 100 KB of prose').toBeLessThan(25)
    },
    20_000,
  )
})

function build(parts: Part[]): string {
  return parts
    .map((part) => {
      if ('literal' in part) return part.literal
      if ('repeat' in part) return part.repeat.repeat(part.times)
      const { from, to, before = '', pad = '', number, then } = part.series
      let text = ''
      for (let n = from; n <= to; n++) text += before + (number ? n : pad.repeat(n)) + then
      return text
    })
    .join('')
}

/** Labels that fall into one bucket of the hash table of an early markdown implementation. */
function collidingReferences(): string {
  const keys: string[] = []
  for (let n = 0; keys.length < 25_000; n++) {
    let hash = 0
    for (const char of `x${n}`) hash = (char.charCodeAt(0) + (hash << 6) + (hash << 16) - hash) | 0
    if ((hash >>> 0) % 16 === 0) keys.push(`x${n}`)
  }
  const [bad, ...others] = keys
  return others.map((key) => `[${key}]: /url\n\n[${bad}]\n\n`).join('')
}

function readCorpus(): Pathological[] | null {
  try {
    const path = new URL('../../../shared/corpora/pathological.json', import.meta.url)
    return JSON.parse(readFileSync(path, 'utf8')) as Pathological[]
  } catch {
    return null
  }
}
