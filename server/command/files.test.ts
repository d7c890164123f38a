import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { pngOf } from '../testing/pictures.ts'
import { run, startServer, testFolder } from '../testing/cli.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A data folder whose one document has two pictures. */
async function library() {
  const base = testFolder()
  const data = path.join(base, 'data')
  writeFileSync(path.join(base, 'Trip.md'), '# Trip\n\n![Sea](files/sea.png)\n')
  await run('import', path.join(base, 'Trip.md'), '--data', data)
  const key = (await run('key', 'create', '--name', 'x', '--data', data)).out.trim()
  const pictures = [1, 2].map((fill) => pngOf(800, 600, { bytes: 3_000_000, fill }))
  const ask = async (method: string, rest: string, body?: Buffer) => {
    const server = await startServer(data)
    const headers = { authorization: `Bearer ${key}` }
    const list = await fetch(`${server.url}/api/documents`, { headers })
    const [document] = ((await list.json()) as { data: { id: string }[] }).data
    const answer = await fetch(`${server.url}/api/documents/${document!.id}/files${rest}`, {
      ...{ method, headers: body ? { ...headers, 'content-type': 'image/png' } : headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    server.child.kill('SIGTERM')
    await server.ended
    return { status: answer.status, bytes }
  }
  expect((await ask('POST', '?name=sea.png', pictures[0])).status).toBe(201)
  expect((await ask('POST', '?name=hill.png', pictures[1])).status).toBe(201)
  const at = (...args: string[]) => run(...args, '--data', data)
  return { base, data, at, ask, pictures, files: path.join(data, 'files') }
}

test('a backup holds the files of documents, each once for all backups beside it, and brings them back', async () => {
  const { base, at, ask, pictures, files } = await library()
  const backups = path.join(base, 'backups')
  mkdirSync(backups)
  const beside = path.join(backups, 'galley-files')
  const first = await at('backup', path.join(backups, '1.db'))
  expect(first).toMatchObject({ code: 0, error: '' })
  expect(first.out).toContain(`2 files of documents are in ${beside}. Keep both together.`)
  expect(readdirSync(beside).sort()).toEqual(pictures.map(sha256).sort())
  // What is there is not copied again: this stands in for it, and stays.
  const [one, two] = pictures.map((bytes) => path.join(beside, sha256(bytes)))
  const stand = Buffer.alloc(pictures[0]!.length)
  writeFileSync(one!, stand)
  expect((await at('backup', path.join(backups, '2.db'))).code).toBe(0)
  expect(readFileSync(one!).equals(stand)).toBe(true)
  writeFileSync(one!, pictures[0]!)

  // Gone here, as on a new machine.
  rmSync(files, { recursive: true })
  expect((await ask('GET', '/sea.png')).status).toBe(404)
  const damaged = await at('check')
  expect(damaged).toMatchObject({ code: 1, error: expect.stringContaining('2 findings') })
  expect(damaged.out).toMatch(/“Trip”: its file (sea|hill)\.png is missing/)
  renameSync(two!, `${two}.away`)
  const partly = await at('restore', path.join(backups, '1.db'))
  expect(partly.code).toBe(0)
  expect(partly.error).toContain('1 file of these documents is neither in ')
  renameSync(`${two}.away`, two!)
  expect(await at('restore', path.join(backups, '1.db'))).toMatchObject({ code: 0, error: '' })
  expect((await ask('GET', '/sea.png')).bytes.equals(pictures[0]!)).toBe(true)
  expect((await ask('GET', '/hill.png')).bytes.equals(pictures[1]!)).toBe(true)
  expect((await at('check')).out).toMatch(/, 2 files\n$/)

  // What isn't what its name says is neither taken for sound, nor copied into a backup.
  writeFileSync(path.join(files, sha256(pictures[0]!)), stand)
  expect((await at('check')).out).toContain('its file sea.png is not what was stored')
  rmSync(beside, { recursive: true })
  const third = await at('backup', path.join(backups, '3.db'))
  expect(third).toMatchObject({ code: 0, error: expect.stringContaining('1 file could not be copied') })
  expect(readdirSync(beside)).toEqual([sha256(pictures[1]!)])
})
