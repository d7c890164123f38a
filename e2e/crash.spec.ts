import { expect, test } from '@playwright/test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runGalley, startGalley, type GalleyProcess } from './galley-process.ts'

/**
 * Kills the server with SIGKILL while many writers are at work, again and again, on one data folder. Whatever was
 * acknowledged before a kill must be there after the next start, and the database must be sound.
 * `GALLEY_CRASH_ROUNDS` sets how often.
 */
const rounds = Number(process.env.GALLEY_CRASH_ROUNDS ?? 8)
const writers = 8

interface Acknowledged {
  /** How many there were. */
  answers: number
  created: Map<string, string>
  /** Text of each acknowledged revision, by document. */
  changed: Map<string, Map<number, string>>
  comments: Map<string, Set<string>>
}

test('no acknowledged write is lost to a kill, and the database stays sound', async () => {
  test.setTimeout(120_000 + rounds * 5_000)
  const data = mkdtempSync(path.join(tmpdir(), 'galley-crash-'))
  try {
    const key = runGalley(data, 'key', 'create', '--name', 'crash').stdout.trim()
    const acknowledged: Acknowledged = {
      answers: 0,
      created: new Map(),
      changed: new Map(),
      comments: new Map(),
    }
    let written = 0
    for (let round = 0; round < rounds; round++) {
      const server = await startGalley(data)
      const writing = Array.from({ length: writers }, (_, n) =>
        write(server, key, `${round}.${n}`, acknowledged),
      )
      // In the middle of things, after a different number of answers each time.
      const before = acknowledged.answers
      const wanted = before + 1 + ((round * 137) % 200)
      await expect.poll(() => acknowledged.answers, { intervals: [1] }).toBeGreaterThanOrEqual(wanted)
      await server.kill()
      await Promise.all(writing)
      written += [...acknowledged.changed.values()].reduce((sum, one) => sum + 1 + one.size, 0)

      const check = runGalley(data, 'check')
      expect(check.status, check.stdout + check.stderr).toBe(0)
      const survivor = await startGalley(data)
      await verify(survivor, key, acknowledged)
      await survivor.stop()
    }
    test.info().annotations.push({
      type: 'acknowledged',
      description: `${written} acknowledged writes over ${rounds} kills, none lost`,
    })
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})

async function call(server: GalleyProcess, key: string, method: string, url: string, body?: unknown) {
  const response = await fetch(`${server.url}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { data: never; error: { message: string } | null }
}

/** Writes until the server is gone; notes only what was acknowledged. */
async function write(server: GalleyProcess, key: string, name: string, acknowledged: Acknowledged) {
  try {
    for (let n = 0; ; n++) {
      const content = `# ${name}.${n}\n\nfirst text of ${name}.${n}\n`
      const made: { id: string } = (
        await call(server, key, 'POST', '/api/documents', { title: name, content })
      ).data
      acknowledged.created.set(made.id, content)
      acknowledged.answers++
      const changes = new Map<number, string>()
      acknowledged.changed.set(made.id, changes)
      for (let k = 0; k < 3; k++) {
        const text = `${content}\nchange ${k} by ${name}\n`
        const changed: { revision: number } = (
          await call(server, key, 'PATCH', `/api/documents/${made.id}`, { content: text })
        ).data
        changes.set(changed.revision, text)
        acknowledged.answers++
      }
      const comment: { id: string } = (
        await call(server, key, 'POST', `/api/documents/${made.id}/comments`, { body: `about ${name}.${n}` })
      ).data
      acknowledged.comments.set(made.id, new Set([comment.id]))
      acknowledged.answers++
    }
  } catch {
    // The server was killed; that is what this is about.
  }
}

async function verify(server: GalleyProcess, key: string, { created, changed, comments }: Acknowledged) {
  for (const [id, content] of created) {
    const found = await call(server, key, 'GET', `/api/documents/${id}`)
    expect(found.error, `document ${id} is there`).toBeNull()
    const current: { content: string; revision: number } = found.data
    const wanted = new Map([[1, content], ...(changed.get(id) ?? [])])
    for (const [revision, text] of wanted) {
      if (revision === current.revision) {
        expect(current.content).toBe(text)
        continue
      }
      const version = await call(server, key, 'GET', `/api/documents/${id}/versions/${revision}`)
      expect(version.error, `version ${revision} of ${id} is there`).toBeNull()
      expect((version.data as { content: string }).content).toBe(text)
    }
    const listed: { id: string }[] = (await call(server, key, 'GET', `/api/documents/${id}/comments`)).data
    for (const one of comments.get(id) ?? []) expect(listed.map((comment) => comment.id)).toContain(one)
  }
  // What has been looked at once is not looked at again: each round adds its own.
  created.clear()
  changed.clear()
  comments.clear()
}

test('a server that has started has loaded nothing large that it seldom needs', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'galley-loaded-'))
  try {
    const list = path.join(data, 'loaded.json')
    const note = `import fs from 'node:fs'; import { isMainThread } from 'node:worker_threads'
      if (isMainThread) process.on('exit', () => fs.writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList)))`
    const server = await startGalley(data, '0', {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(note)}`,
    })
    await server.stop()
    const loaded = (JSON.parse(readFileSync(list, 'utf8')) as string[]).map((name) => name.split(' ').at(-1))
    expect(loaded).toContain('http')
    // Node’s own fetch, and what TLS takes: 18 MiB.
    for (const seldom of ['internal/deps/undici/undici', 'http2', 'https', 'tls'])
      expect(loaded).not.toContain(seldom)
  } finally {
    rmSync(data, { recursive: true })
  }
})
