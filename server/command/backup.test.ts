import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { damagePage } from '../store/testing/damaged-page.ts'
import { run, runProcess, startServer, testFolder, type CommandOutcome } from '../testing/cli.ts'

/** A data folder with one document, and its folder for backups. */
async function library() {
  const base = testFolder()
  const data = path.join(base, 'data')
  const backup = path.join(base, 'backup.db')
  const add = async (title: string) => {
    const file = path.join(base, `${title}.md`)
    writeFileSync(file, `text of ${title}`)
    await run('import', file, '--data', data)
  }
  await add('first')
  const at = (...args: string[]) => run(...args, '--data', data)
  const titles = async () => {
    const folder = path.join(testFolder(), 'out')
    await at('export', folder)
    return readdirSync(folder).sort()
  }
  return { base, data, backup, add, at, titles, database: path.join(data, 'galley.db') }
}

const expectOk = ({ code, error }: CommandOutcome) => expect([code, error]).toEqual([0, ''])

describe('backup', () => {
  test('writes one private file and says how large it is', async () => {
    const { at, base, backup } = await library()
    const { code, out, error } = await at('backup', backup)
    expect([code, error]).toEqual([0, ''])
    const size = (statSync(backup).size / 2 ** 20).toFixed(1)
    expect(out).toBe(`Backed up to ${backup} (${size} MiB).\n`)
    expect(readdirSync(base).sort()).toEqual(['backup.db', 'data', 'first.md'])
    if (process.platform !== 'win32') expect(statSync(backup).mode & 0o777).toBe(0o600)
  })

  test('never replaces a file, unless --force says so, and never the database', async () => {
    const { at, backup, database } = await library()
    writeFileSync(backup, 'mine')
    expect(await at('backup', backup)).toEqual({
      code: 1,
      out: '',
      error: `galley: ${backup} is there already. Choose another name, or use --force.\n`,
    })
    expect(readFileSync(backup, 'utf8')).toBe('mine')
    expectOk(await at('backup', backup, '--force'))
    expect(readFileSync(backup).subarray(0, 15).toString()).toBe('SQLite format 3')
    expect(await at('backup', database, '--force')).toMatchObject({ code: 1 })
    expectOk(await at('check'))
  })

  test('needs a folder to write to, and a name', async () => {
    const { at, base } = await library()
    expect((await at('backup', path.join(base, 'none', 'x.db'))).error).toBe(
      `galley: There is no folder ${path.join(base, 'none')}.\n`,
    )
    expect((await at('backup', base)).error).toBe(`galley: ${base} is a folder; name a file.\n`)
  })
})

describe('restore', () => {
  test('puts everything back beside a server that runs, and keeps what was there', async () => {
    const { at, add, backup, data, titles } = await library()
    const { url } = await startServer(data)
    const key = (await at('key', 'create', '--name', 'x')).out.trim()
    const list = async () => {
      const answer = await fetch(`${url}/api/documents?q=text`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title)
    }
    expectOk(await at('backup', backup))
    await add('second')
    expect((await list()).sort()).toEqual(['first', 'second'])

    const { code, out, error } = await runProcess(['restore', backup, '--data', data])
    expect([code, error]).toEqual([0, ''])
    expect(out).toMatch(/^Restored 1 document from .*backup\.db\.\nWhat was there before is in .*\.\n$/)
    expect(await list()).toEqual(['first'])
    expect(await titles()).toEqual(['first.md'])

    const kept = /before is in (.*)\.\n/.exec(out)![1]!
    expect(path.dirname(kept)).toBe(path.join(data, 'backups'))
    expect(readdirSync(path.dirname(kept))).toEqual([path.basename(kept)])
    expectOk(await at('restore', kept))
    expect((await list()).sort()).toEqual(['first', 'second'])
    expectOk(await at('check'))
  })

  test('works where there is no data yet', async () => {
    const { at, backup, titles } = await library()
    await at('backup', backup)
    const data = path.join(testFolder(), 'new')
    expect(await run('restore', backup, '--data', data)).toEqual({
      code: 0,
      out: `Restored 1 document from ${backup}.\n`,
      error: '',
    })
    expect(readdirSync(path.join(data, 'backups'))).toEqual([])
    expect((await run('check', '--data', data)).out).toMatch(/^ok: 1 user, 1 document, 1 version,/)
    expect(await titles()).toEqual(['first.md'])
  })

  test('says which keys work again that had been revoked', async () => {
    const { at, backup, database } = await library()
    await at('key', 'create', '--name', 'x')
    await at('backup', backup)
    const { openStore } = await import('../store/store.ts')
    const store = openStore({ file: database })
    store.db.exec('DELETE FROM api_keys')
    store.close()
    expect((await at('restore', backup)).out).toContain(
      '1 API key that didn’t work before the restore, or allowed less, may be used as in the backup; revoke what shouldn’t.\n',
    )
  })

  test.each(['not a database at all, only text', ''])(
    'puts a backup in place of a damaged database (%j)',
    async (damage) => {
      const { at, backup, data, database, titles } = await library()
      await at('backup', backup)
      writeFileSync(database, (damage || 'Z').repeat(20_000))
      expect((await at('check')).code).toBe(1)
      const { code, out, error } = await at('restore', backup)
      expect([code, error]).toEqual([0, ''])
      const kept = /before is in (.*)\.\n/.exec(out)![1]!
      expect(readFileSync(path.join(kept, 'galley.db'), 'utf8').startsWith(damage || 'Z')).toBe(true)
      expect(path.dirname(kept)).toBe(path.join(data, 'backups'))
      expect(await titles()).toEqual(['first.md'])
      expectOk(await at('check'))
    },
  )

  test('puts a backup in place of a database with damaged pages', async () => {
    const { at, base, backup, database, titles } = await library()
    mkdirSync(path.join(base, 'more'))
    for (let i = 0; i < 60; i++) writeFileSync(path.join(base, 'more', `${i}.md`), 'word '.repeat(4_000))
    await at('import', path.join(base, 'more'))
    await at('backup', backup)
    const bytes = readFileSync(database)
    for (let page = 60; page * 4096 < bytes.length; page += 5)
      bytes.fill(0x5a, page * 4096, page * 4096 + 2048)
    writeFileSync(database, bytes)
    const found = await at('check')
    expect(found.code).toBe(1)
    expect(found.error).toMatch(/^galley: .* is damaged: \d+ findings? \(see above\)\. .*\n$/)
    expect(found.out).not.toBe('')
    expectOk(await at('restore', backup))
    expect(await titles()).toHaveLength(61)
    expectOk(await at('check'))
  })

  test('a damaged database that a server holds must be let go of first', async () => {
    const { at, backup, data, database } = await library()
    await at('backup', backup)
    const server = await startServer(data)
    const { openStore } = await import('../store/store.ts')
    const store = openStore({ file: database })
    store.db.exec('DROP INDEX comments_by_parent')
    store.close()
    const refused = await at('restore', backup)
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.error).toMatch(
      /is in use by Galley .*Its database is damaged; stop it first, then restore again\.\n$/,
    )
    server.child.kill('SIGTERM')
    await server.ended
    expectOk(await at('restore', backup))
    expectOk(await at('check'))
  })

  test('what isn’t a sound backup is refused in one line, and nothing is left behind', async () => {
    const { at, base, data, database, titles } = await library()
    const text = path.join(base, 'text.db')
    writeFileSync(text, 'Dear diary, '.repeat(1_000))
    writeFileSync(path.join(base, 'empty.db'), '')
    for (const file of [text, path.join(base, 'empty.db'), path.join(base, 'none.db'), database, base]) {
      const { code, out, error } = await at('restore', file)
      expect([code, out]).toEqual([1, ''])
      expect(error).toMatch(/^galley: [^\n]+\n$/)
      expect(error).toContain(file)
    }
    expect(readdirSync(path.join(data, 'backups'))).toEqual([])
    expect(await titles()).toEqual(['first.md'])
  })
})

describe('check', () => {
  test('counts what there is and changes nothing', async () => {
    const { at, database } = await library()
    const before = readFileSync(database)
    expect(await at('check')).toEqual({
      code: 0,
      out: 'ok: 1 user, 1 document, 1 version, 1 logged change, 0 comments, 0 suggestions, 0 share links, 0 files\n',
      error: '',
    })
    expect(readFileSync(database).equals(before)).toBe(true)
  })

  test('says so itself where nothing can be read, and doesn’t send anybody to itself', async () => {
    const { at, database } = await library()
    damagePage(database, 'sqlite_schema')
    const { code, out, error } = await at('check')
    expect([code, out]).toEqual([
      1,
      'nothing of the database can be read: database disk image is malformed\n',
    ])
    expect(error).toMatch(/^galley: .* is damaged: 1 finding \(see above\)\. Restore a backup/)
    expect(JSON.parse((await at('check', '--json')).out)).toMatchObject({
      ok: false,
      counts: { documents: null, files: null },
    })
  })

  test('tells each finding in a line of its own', async () => {
    const { at, database } = await library()
    const { openStore } = await import('../store/store.ts')
    const store = openStore({ file: database })
    store.db.exec(
      'UPDATE documents SET hash = 1; UPDATE versions SET size = 9; DROP INDEX comments_by_parent',
    )
    store.close()
    const { code, out, error } = await at('check')
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'the index comments_by_parent is missing',
      expect.stringMatching(/^document .* “.*”: its text is not the one that was saved \(\d{4}-.* UTC\)$/),
      expect.stringMatching(/^document .*: version 1 has another length than it was saved with$/),
      '',
    ])
    expect(error).toMatch(/^galley: .* is damaged: 3 findings \(see above\)\./)
  })
})
