/**
 * How long others wait while something long is under way: a small read by key, one by token, and a small durable write,
 * each beside the same while nothing is.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOthers, type Waited } from './others.ts'
import { galley as runGalley } from './processes.ts'
import { prose } from './prose.ts'

/** Calls the API as the owner. */
export type Call = <T>(method: string, url: string, body?: unknown) => Promise<T>

interface Setting {
  galley: { url: string; shareUrl: string }
  data: string
  folder: string
  call: Call
  authorization: string
  /** Small documents to read and write. */
  ids: readonly string[]
  documents: number
  rounds: number
  only: string
  print: (line?: string) => void
}

interface LongWork {
  name: string
  /** What has to be there, before the first round. */
  prepare?: () => Promise<unknown>
  /** Before each round; not measured. */
  before?: (round: number) => Promise<unknown>
  run: (round: number) => Promise<unknown>
}

interface NewDocument {
  id: string
}

const megabyte = 1024 * 1024
/** What was written before is in the index by then, and quiet texts are kept whole. */
const settled = 7_000
/** Long enough for the slowest of a hundred to be one of many. */
const undisturbed = 3_000

const sizes = { small: 5 * 1024, rendered: 100 * 1024 }
const suggestions = 2_000
const renders = 50

function listWork({ call, data, folder, documents, ids }: Setting): LongWork[] {
  const edited = new Map<number, { id: string; text: string }>()
  const large = async (size: number) => {
    if (edited.has(size)) return
    const text = prose(size, size)
    edited.set(size, { ...(await call<NewDocument>('POST', '/api/documents', { content: text })), text })
  }
  /** Another sentence in the middle of it. */
  const patch = (size: number, n: number) => {
    const { id, text } = edited.get(size)!
    const at = size >> 1
    const content = `${text.slice(0, at)} Sentence ${n} is new. ${text.slice(at + 40)}`
    return call('PATCH', `/api/documents/${id}`, { content })
  }
  let edits = 0
  const patches = (size: number, times: number): LongWork => ({
    name: `PATCH of ${size / megabyte} MB, ${times} times`,
    prepare: () => large(size),
    run: async () => {
      for (let i = 0; i < times; i++) await patch(size, edits++)
    },
  })
  const whatFollows = (size: number): LongWork => ({
    name: `indexing ${size / megabyte} MB, and keeping it`,
    prepare: () => large(size),
    before: () => patch(size, edits++),
    run: () => sleep(settled),
  })

  const list = Array.from({ length: suggestions }, (_, n) => `Line ${n} of the list says so.\n\n`).join('')
  let listed = ''
  const toRender: string[] = []
  const backup = path.join(folder, 'backup.db')
  return [
    patches(megabyte, 10),
    patches(9 * megabyte, 3),
    whatFollows(megabyte),
    whatFollows(9 * megabyte),
    {
      name: `accepting ${suggestions} suggestions`,
      before: async () => {
        listed = (await call<NewDocument>('POST', '/api/documents', { content: list })).id
        for (let at = 0; at < suggestions; at += 50)
          await Promise.all(
            Array.from({ length: 50 }, (_, i) => {
              const exact = `Line ${at + i} of the list`
              return call('POST', `/api/documents/${listed}/suggestions`, {
                original_text: exact,
                suggested_text: `Row ${at + i} of it`,
                anchor: { exact, start: list.indexOf(exact), end: list.indexOf(exact) + exact.length },
              })
            }),
          )
        await sleep(settled)
      },
      run: () => call('POST', `/api/documents/${listed}/suggestions/resolve`, { action: 'accept' }),
    },
    {
      name: `searching common words in ${documents}`,
      run: async () => {
        for (const words of [
          'lamo',
          'quidel',
          'tersan rino',
          'la',
          'ris',
          'mo ne',
          'delqui vesan nola',
          'an',
        ])
          await call('GET', `/api/documents?q=${encodeURIComponent(words)}`)
      },
    },
    {
      name: `${renders} renders of ${sizes.rendered / 1024} KB`,
      prepare: async () => {
        for (let n = 0; n < renders; n++)
          toRender.push(
            (await call<NewDocument>('POST', '/api/documents', { content: prose(n, sizes.rendered) })).id,
          )
      },
      before: async (round) => {
        for (const [n, id] of toRender.entries())
          await call('PATCH', `/api/documents/${id}`, {
            content: `Round ${round}.\n\n${prose(n, sizes.rendered)}`,
          })
        await sleep(settled)
      },
      run: () => Promise.all(toRender.map((id) => call('GET', `/api/documents/${id}/rendered`))),
    },
    {
      name: `restoring a version of 9 MB`,
      prepare: () => large(9 * megabyte),
      before: async () => {
        await patch(9 * megabyte, edits++)
        await sleep(settled)
      },
      run: () => call('POST', `/api/documents/${edited.get(9 * megabyte)!.id}/versions/1/restore`),
    },
    {
      name: 'a backup',
      before: async () => rmSync(backup, { force: true }),
      run: () => runGalley(data, 'backup', backup),
    },
    {
      name: 'restoring a backup',
      prepare: async () => {
        rmSync(backup, { force: true })
        await runGalley(data, 'backup', backup)
      },
      before: () => call('PATCH', `/api/documents/${ids[0]!}`, { content: 'Changed since.' }),
      run: () => runGalley(data, 'restore', backup),
    },
  ]
}

/** Measures each kind of long work whose name has `only` inside, and prints a row of it. */
export async function benchLongWork(setting: Setting) {
  const work = listWork(setting).filter(({ name }) => `while: ${name}`.includes(setting.only))
  if (work.length === 0) return
  const { galley, call, authorization, ids, rounds, print } = setting
  const { token } = await call<{ token: string }>('POST', `/api/documents/${ids[1]!}/share`, {
    permission: 'view',
  })
  const written = ids.slice(2, 22)
  const others = startOthers([
    {
      name: 'read',
      url: `${galley.url}/api/documents/${ids[1]!}`,
      every: 10,
      headers: { authorization },
    },
    {
      name: 'by token',
      url: `${galley.shareUrl}/api/documents/${ids[1]!}?share_token=${token}`,
      every: 10,
    },
    {
      name: 'write',
      url: '',
      urls: written.map((id) => `${galley.url}/api/documents/${id}`),
      every: 20,
      method: 'PATCH',
      headers: { authorization },
      bodies: Array.from({ length: 101 }, (_, n) =>
        JSON.stringify({ content: `${n} ${prose(n, sizes.small)}` }),
      ),
    },
  ])
  const kinds = ['read', 'by token', 'write']
  const measure = async (run: () => Promise<unknown>) => {
    others.begin()
    await run()
    return others.end()
  }

  print()
  print(`While something long is under way, others wait (p99 / worst, ms; beside it while nothing is):`)
  print()
  print(
    ['while'.padEnd(34), 's'.padStart(6), ...kinds.flatMap((kind) => [kind, 'else'])]
      .map((cell) => cell.padStart(14))
      .join(' '),
  )
  await measure(() => sleep(undisturbed))
  for (const { name, prepare, before, run } of work) {
    await prepare?.()
    const calm: Waited[] = []
    const busy: Waited[] = []
    let took = 0
    for (let round = 0; round < rounds; round++) {
      await sleep(settled)
      calm.push(await measure(() => sleep(undisturbed)))
      await before?.(round)
      const began = performance.now()
      busy.push(await measure(() => run(round)))
      took += performance.now() - began
    }
    const cells = kinds.flatMap((kind) => [busy, calm].map((all) => describe(all, kind)))
    print(
      [name.padEnd(34), (took / rounds / 1000).toFixed(1).padStart(6), ...cells]
        .map((cell) => cell.padStart(14))
        .join(' '),
    )
    const refused = busy.reduce((sum, one) => sum + one.refused, 0)
    if (refused > 0) print(`  ${refused} of these were refused`)
  }
  await others.close()
}

function describe(all: readonly Waited[], kind: string): string {
  const times = all.flatMap((one) => one.times[kind] ?? []).sort((a, b) => a - b)
  const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]
  return p99 === undefined ? '–' : `${p99.toFixed(0)} / ${times.at(-1)!.toFixed(0)}`
}
