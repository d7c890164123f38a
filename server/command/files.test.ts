import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { pngOf } from '../testing/pictures.ts'
import { run, runProcess, startServer, testFolder } from '../testing/cli.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A data folder whose one document has two pictures. */
async function library() {
  const base = testFolder()
  const data = path.join(base, 'data')
  writeFileSync(path.join(base, 'Trip.md'), '# Trip\n\n![Sea](files/sea.png)\n')
  await run('import', path.join(base, 'Trip.md'), '--data', data)
  const key = (await run('key', 'create', '--name', 'x', '--data', data)).out.trim()
  const pictures = [1, 2].map((fill) => pngOf(800, 600, { bytes: 3_000_000, fill }))
  const server = await startServer(data)
  const headers = { authorization: `Bearer ${key}` }
  const list = (await (await fetch(`${server.url}/api/documents`, { headers })).json()) as {
    data: { id: string }[]
  }
  for (const [index, name] of ['sea.png', 'hill.png'].entries()) {
    const url = `${server.url}/api/documents/${list.data[0]!.id}/files?name=${name}`
    const body = new Uint8Array(pictures[index]!)
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'image/png' }, body }
    expect((await fetch(url, sent)).status).toBe(201)
  }
  server.child.kill('SIGTERM')
  await server.ended
  const at = (...args: string[]) => run(...args, '--data', data)
  return { base, at, pictures, files: path.join(data, 'files') }
}

test('a backup holds the files of documents, each once for all backups beside it, and brings them back', async () => {
  const { base, at, pictures, files } = await library()
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
  const damaged = await at('check')
  expect(damaged).toMatchObject({ code: 1, error: expect.stringContaining('2 findings') })
  expect(damaged.out).toMatch(/“Trip”: its file (sea|hill)\.png is missing/)
  renameSync(two!, `${two}.away`)
  const partly = await at('restore', path.join(backups, '1.db'))
  expect(partly.code).toBe(0)
  expect(partly.error).toContain('1 file of these documents is neither in ')
  renameSync(`${two}.away`, two!)
  expect(await at('restore', path.join(backups, '1.db'))).toMatchObject({ code: 0, error: '' })
  expect(readFileSync(path.join(files, sha256(pictures[0]!))).equals(pictures[0]!)).toBe(true)
  expect(readFileSync(path.join(files, sha256(pictures[1]!))).equals(pictures[1]!)).toBe(true)
  expect((await at('check')).out).toMatch(/, 2 files\n$/)

  // What isn't what its name says is neither taken for sound, nor copied into a backup.
  writeFileSync(path.join(files, sha256(pictures[0]!)), stand)
  expect((await at('check')).out).toContain('its file sea.png is not what was stored')
  rmSync(beside, { recursive: true })
  const third = await at('backup', path.join(backups, '3.db'))
  expect(third).toMatchObject({ code: 0, error: expect.stringContaining('1 file could not be copied') })
  expect(readdirSync(beside)).toEqual([sha256(pictures[1]!)])
})

test('what is exported comes back by an import: texts to the letter, files byte for byte', async () => {
  const { base, at, pictures } = await library()
  const out = path.join(base, 'out')
  expect(await at('export', out)).toMatchObject({ code: 0, error: '' })
  expect(readdirSync(path.join(out, 'Trip'), { recursive: true }).sort()).toEqual(
    ['Trip.md', 'files', path.join('files', 'hill.png'), path.join('files', 'sea.png')].sort(),
  )
  const text = '# Trip\n\n![Sea](files/sea.png)\n'
  expect(readFileSync(path.join(out, 'Trip', 'Trip.md'), 'utf8')).toBe(text)
  expect(readFileSync(path.join(out, 'Trip', 'files', 'sea.png')).equals(pictures[0]!)).toBe(true)

  const there = path.join(base, 'there')
  const imported = await run('import', out, '--data', there)
  expect(imported).toMatchObject({ code: 0, error: '' })
  expect(imported.out).toContain('Imported 1 document with 1 file.')
  const again = path.join(base, 'again')
  await run('export', again, '--data', there)
  expect(readFileSync(path.join(again, 'Trip', 'Trip.md'), 'utf8')).toBe(text)
  expect(readFileSync(path.join(again, 'Trip', 'files', 'sea.png')).equals(pictures[0]!)).toBe(true)
})

test('an import takes along what its texts show from where it was, and says what it can’t', async () => {
  const base = testFolder()
  const at = (...parts: string[]) => path.join(base, ...parts)
  for (const folder of ['in/notes', 'in/img', 'out']) mkdirSync(at(folder), { recursive: true })
  const [one, two] = [pngOf(8, 6), pngOf(6, 8)]
  writeFileSync(at('in/img/my boat.png'), one)
  writeFileSync(at('in/notes/boat.png'), two)
  writeFileSync(at('out/secret.png'), two)
  writeFileSync(at('in/img/page.svg'), '<svg/>')
  writeFileSync(at('in/img/huge.png'), pngOf(60_000, 60_000))
  const text = [
    '![a](../img/my%20boat.png "Boat") <img alt="" src="boat.png"> ![b](<../img/my boat.png>)',
    '![c](../../out/secret.png) ![d](gone.png) ![e](../img/page.svg) ![f](../img/huge.png) ![[boat.png]]',
    '[a link](../../out/secret.png) [text](other.md)',
    '```\n![in code](boat.png)\n```',
  ].join('\n\n')
  writeFileSync(at('in/notes/a.md'), text)
  const { code, out, error } = await run('import', at('in'), '--data', at('data'))
  expect(code).toBe(0)
  expect(out).toContain('Imported 1 document with 2 files.')
  expect(error).toContain(
    'left out ../../out/secret.png, gone.png, ../img/page.svg, ../img/huge.png, boat.png',
  )
  await run('export', at('exported'), '--data', at('data'))
  expect(readdirSync(at('exported/a/files')).sort()).toEqual(['boat.png', 'my-boat.png'])
  expect(readFileSync(at('exported/a/a.md'), 'utf8')).toBe(
    text
      .replace('../img/my%20boat.png', 'files/my-boat.png')
      .replace('src="boat.png"', 'src="files/boat.png"')
      .replace('../img/my boat.png', 'files/my-boat.png'),
  )
  expect(readFileSync(at('exported/a/files/my-boat.png')).equals(one)).toBe(true)
  expect(readdirSync(at('data/files'))).toHaveLength(2)
})

test('“galley files” says how much room they take, and frees what no document uses', async () => {
  const { at, pictures, files } = await library()
  expect((await at('files')).out).toBe('The files of all documents take 5.7 MiB.\n')
  // As by an owner who deletes one for good.
  const db = new Database(path.join(files, '..', 'galley.db'))
  db.prepare("DELETE FROM files WHERE name = 'hill.png'").run()
  db.close()
  expect((await at('files')).out).toContain('1 file (2.9 MiB) no document uses any more')
  expect((await at('check')).out).toContain('“galley files --free” removes it now.')
  expect((await at('files', '--free')).out).toMatch(
    /^1 file removed, 2\.9 MiB freed\.\nThe files .* 2\.9 MiB\./,
  )
  expect(readdirSync(files)).toEqual([sha256(pictures[0]!)])
  expect(JSON.parse((await at('files', '--free', '--json')).out)).toMatchObject({
    ...{ unused_count: 0, freed: { count: 0, bytes: 0, kept_count: 0 } },
  })
})

test.skipIf(process.platform === 'win32')(
  'a named pipe among the backups is waited for by nobody',
  async () => {
    const data = testFolder()
    await run('key', 'create', '--name', 'x', '--data', data)
    execFileSync('mkfifo', [path.join(data, 'backups', 'before-restore-2026.db')])
    const copy = path.join(data, 'copy.db')
    for (const args of [
      ['backup', copy],
      ['restore', copy],
      ['files', '--free'],
    ]) {
      const killed = { timeout: 60_000, killSignal: 'SIGKILL' } as const
      expect((await runProcess([...args, '--data', data], killed)).code, args[0]).toBe(0)
    }
  },
)
