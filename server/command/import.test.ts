import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { run, runProcess, startServer, testFolder } from '../testing/cli.ts'

/** Files to import, in a folder with a data folder beside it. */
function library(files: Record<string, string | Buffer>) {
  const base = testFolder()
  const folder = path.join(base, 'files')
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  const data = path.join(base, 'data')
  const at = (...names: string[]) => path.join(folder, ...names)
  const documents = () => {
    const store = openStore({ file: path.join(data, 'galley.db') })
    onTestFinished(() => void (store.db.open && store.close()))
    return store.users
      .list()
      .flatMap((user) =>
        store.documents.listIds(user.id).map((id) => ({ ...store.documents.find(id)!, owner: user.name })),
      )
  }
  return {
    folder,
    data,
    at,
    import: (...args: string[]) => run('import', ...args, '--data', data),
    documents,
    titles: () => documents().map(({ title }) => title),
  }
}

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string

describe('what is told of what was imported', () => {
  test('nothing where standard input is named, which another command takes', async () => {
    const { code, error } = await run('import', '-', '--data', testFolder())
    expect([code, error]).toEqual([2, expect.stringContaining('“galley doc new -”')])
  })

  test('the ids, as lines or as JSON', async () => {
    const {
      import: run,
      folder,
      documents,
    } = library({ 'one.md': '# One', 'two.md': '# Two\n\n![x](x.png)' })
    const { out } = await run(folder)
    for (const { id, title } of documents()) expect(out).toContain(`${id}  ${title}\n`)
    const { out: json, code } = await run(folder, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(json)).toEqual([
      { id: matching(/^[0-9a-f-]{36}$/), title: 'One', file: path.join(folder, 'one.md'), left_out: [] },
      {
        id: matching(/^[0-9a-f-]{36}$/),
        title: 'Two',
        file: path.join(folder, 'two.md'),
        left_out: ['x.png'],
      },
    ])
  })

  test('the pictures that stayed beside the files', async () => {
    const {
      import: run,
      folder,
      at,
    } = library({
      'one.md': '![Cat](cat.png)\n![Dog](dog.png)',
      'two.md': '![Elsewhere](https://example.org/a.png)',
    })
    const { code, error } = await run(folder)
    expect(code).toBe(0)
    expect(error).toBe(
      `galley: ${at('one.md')}: left out cat.png, dog.png\ngalley: 2 pictures couldn’t be taken along: not there, outside of what was imported, larger than 25 MB, or none that Galley shows.\n`,
    )
  })
})

describe('what is imported', () => {
  test('keeps folders in titles where files are called alike', async () => {
    const {
      import: run,
      folder,
      titles,
    } = library({
      'a/README.md': '# Read me',
      'b/README.md': '+++\ntitle = "Read me"\n+++\n',
      'plan.md': '# Plan',
    })
    await run(folder)
    expect(titles().toSorted()).toEqual(['Plan', 'a/Read me', 'b/Read me'])
  })

  test('takes no folder into titles from above what was named', async () => {
    const files = { 'n.md': '# Notes', 'a/n.md': '# Notes', 'b/a/n.md': '# Notes', 'a/m.md': '# Notes' }
    const one = library(files)
    await one.import(one.folder)
    expect(one.titles().toSorted()).toEqual([
      'b/a/Notes',
      'files/Notes',
      'files/a/Notes (m)',
      'files/a/Notes (n)',
    ])
    const several = library(files)
    await several.import(several.at('n.md'), several.at('a'), several.at('b', 'a'))
    expect(several.titles().toSorted()).toEqual(['Notes', 'a/Notes (m)', 'a/Notes (n)', 'b/a/Notes'])
    const loose = library({ 'one.md': '# Notes', 'two.md': '# Notes' })
    await loose.import(loose.at('one.md'), loose.at('two.md'))
    expect(loose.titles().toSorted()).toEqual(['Notes (one)', 'Notes (two)'])
  })

  test.skipIf(path.sep === '\\')('takes a backslash in a file’s name for what it is', async () => {
    const {
      import: run,
      folder,
      titles,
    } = library({ 'a\\b.md': '', 'c\\one.md': '# Read me', 'two.md': '# Read me' })
    await run(folder)
    expect(titles().toSorted()).toEqual(['a\\b', 'files/Read me (c\\one)', 'files/Read me (two)'])
  })

  test('has the dates of its front matter', async () => {
    const {
      import: run,
      folder,
      documents,
    } = library({
      'one.md': '---\ndate: 2024-05-01T10:00:00Z\nlastmod: 2024-06-01T10:00:00Z\n---\n',
      'two.md': '+++\ndate = 2024-05-02T10:00:00Z\n+++\n',
    })
    const before = Date.now()
    await run(folder)
    const [one, two] = documents()
    expect([one!.created_at, one!.updated_at]).toEqual(
      ['2024-05-01T10:00:00Z', '2024-06-01T10:00:00Z'].map((time) => Date.parse(time)),
    )
    expect(two!.created_at).toBe(Date.parse('2024-05-02T10:00:00Z'))
    expect(two!.updated_at).toBeGreaterThanOrEqual(before)
  })

  test('files and folders, each text exactly, titled by front matter, heading or name', async () => {
    const texts = {
      'matter.md': '---\ntitle: From the matter\n---\n# Heading\n',
      'heading.markdown': 'Text\r\n\r\n# A *heading*\r\n',
      'sub/plain.MD': '\uFEFFno heading 👩‍👩‍👧 \0 here',
      'sub/empty.md': '',
    }
    const {
      import: run,
      folder,
      documents,
    } = library({ ...texts, 'sub/code.ts': '// no', 'readme.txt': 'no' })
    expect(await run(folder)).toEqual({
      code: 0,
      out: matching(/^(\S{36} {2}.+\n){4}Imported 4 documents\.\n$/),
      error: '',
    })
    expect(Object.fromEntries(documents().map(({ title, text }) => [title, text.whole]))).toEqual({
      'A heading': texts['heading.markdown'],
      'From the matter': texts['matter.md'],
      plain: texts['sub/plain.MD'],
      empty: '',
    })
  })

  test('a file that is named, whatever its ending', async () => {
    const { import: run, at, titles } = library({ 'notes.txt': 'x', '.hidden': '# Hidden' })
    expect((await run(at('notes.txt'), at('.hidden'))).code).toBe(0)
    expect(titles()).toEqual(['notes', 'Hidden'])
  })

  test('nothing hidden and no packages in a folder, unless the person names them', async () => {
    const files = {
      'a.md': '',
      '.b.md': '',
      '.git/c.md': '',
      'node_modules/d/e.md': '',
      'node_modules/d/node_modules/f/g.md': '',
      'node_modules/.cache/h.md': '',
    }
    const { import: run, folder, at, titles } = library(files)
    await run(folder)
    expect(titles()).toEqual(['a'])
    for (const named of ['node_modules', 'node_modules/d']) {
      const packages = library(files)
      expect((await packages.import(packages.at(named))).code).toBe(0)
      expect(packages.titles()).toEqual(['e', 'g'])
    }
    const hidden = library(files)
    await hidden.import(hidden.at('.git'))
    expect(hidden.titles()).toEqual(['c'])
    expect((await run(at('a.md'))).code).toBe(0)
  })

  test('in the order of their paths', async () => {
    const { import: run, folder, titles } = library({ 'b.md': '', 'a/2.md': '', 'a/10.md': '', 'c/x.md': '' })
    await run(folder)
    expect(titles()).toEqual(['b', '10', '2', 'x'])
  })

  test('each file once, however many links and names lead to it, and links that go round are no trap', async () => {
    const { import: run, folder, at, titles } = library({ 'sub/a.md': '', 'elsewhere/b.md': '' })
    symlinkSync('..', at('sub', 'up'))
    symlinkSync('loop', at('loop'))
    symlinkSync('a.md', at('sub', 'same.md'))
    symlinkSync(at('elsewhere'), at('sub', 'linked'))
    symlinkSync('nowhere', at('dangling'))
    const { code, out } = await run(folder, at('sub'), at('sub', 'a.md'), folder)
    expect([code, out]).toEqual([0, matching(/\nImported 2 documents\.\n$/)])
    expect(titles().sort()).toEqual(['a', 'b'])
    symlinkSync('nowhere', at('broken.md'))
    expect((await run(folder)).error).toContain(`${at('broken.md')}: not found`)
  })

  test('nothing that a link in a folder leads to elsewhere, unless that is named too; it is told', async () => {
    const files = { 'in/a.md': '', 'in/.hidden/h.md': '', 'out/b.md': '', 'out/c/d.md': '', 'in2/e.md': '' }
    const linked = () => {
      const made = library(files)
      const { at } = made
      symlinkSync(at('out', 'b.md'), at('in', 'b.md'))
      symlinkSync('../out/c', at('in', 'c'))
      symlinkSync('../in2', at('in', 'alike'))
      symlinkSync('.hidden/h.md', at('in', 'h.md'))
      symlinkSync(at('out', 'b.md'), at('in', 'no-text'))
      return made
    }
    const one = linked()
    const { code, error } = await one.import(one.at('in'))
    expect([code, one.titles().toSorted()]).toEqual([0, ['a', 'h']])
    expect(error.trim().split('\n')).toEqual(
      ['alike', 'b.md', 'c'].map((name) =>
        matching(new RegExp(`^galley: ${one.at('in', name)}: left out, a link that leads out of .*name it`)),
      ),
    )
    const both = linked()
    expect(await both.import(both.at('in'), both.at('out', 'c'), both.at('in2'))).toMatchObject({
      code: 0,
      error: matching(/^galley: \S+in\/b\.md: left out[^\n]*\n$/),
    })
    expect(both.titles().toSorted()).toEqual(['a', 'd', 'e', 'h'])
    const named = linked()
    expect((await named.import(named.at('in', 'b.md'), named.at('in', 'c'))).error).toBe('')
    expect(named.titles().toSorted()).toEqual(['b', 'd'])
  })

  test('a link to a folder or a file that is named', async () => {
    const { import: run, at, titles } = library({ 'real/a.md': '', 'b.md': '' })
    symlinkSync(at('real'), at('link'))
    symlinkSync(at('b.md'), at('link.md'))
    expect((await run(at('link'), at('link.md'))).code).toBe(0)
    expect(titles()).toEqual(['a', 'link'])
  })

  test('for the user who is named', async () => {
    const { import: run, at, data, documents } = library({ 'a.md': '' })
    await runAdd(data)
    expect((await run(at('a.md'), '--user', 'Anna')).code).toBe(0)
    expect(documents().map(({ owner }) => owner)).toEqual(['Anna'])
    expect(await run(at('a.md'), '--user', 'Bob')).toMatchObject({ code: 1, out: '' })
  })
  const runAdd = (data: string) => run('user', 'add', 'Anna', '--data', data)

  test('is found by a search at once, and has one version', async () => {
    const { import: run, at, data } = library({ 'a.md': 'a needle' })
    await run(at('a.md'))
    const store = openStore({ file: path.join(data, 'galley.db') })
    expect(store.db.prepare('SELECT count(*) FROM documents WHERE indexed = 1').pluck().get()).toBe(1)
    const owner = store.users.owner()
    const [found] = store.search.find({ owner: owner.id, query: 'needle', limit: 10, offset: 0 })
    const { number } = store.documents.find(found!.id)!
    expect(store.versions.list(number)).toMatchObject([{ kind: 'import', author_id: owner.id, revision: 1 }])
    store.close()
  })
})

describe('what can’t be imported is told, and the rest is', () => {
  test('texts in another encoding, files that are too large, paths that aren’t there', async () => {
    const {
      import: run,
      folder,
      at,
      titles,
    } = library({
      'good.md': 'fine',
      'latin1.md': Buffer.from('caf\xe9', 'latin1'),
      'utf16.md': Buffer.from('\ufefftext', 'utf16le'),
      'large.md': '',
      'most.md': Buffer.alloc(10 * 1024 * 1024, 'x'),
    })
    truncateSync(at('large.md'), 10 * 1024 * 1024 + 1)
    const { code, out, error } = await run(folder, at('missing.md'))
    expect([code, out]).toEqual([1, matching(/\nImported 2 documents\.\n$/)])
    expect(error.split('\n').sort()).toEqual(
      [
        '',
        `galley: ${at('large.md')}: larger than 10 MiB (10,485,761 bytes)`,
        `galley: ${at('latin1.md')}: not UTF-8 text`,
        `galley: ${at('missing.md')}: not found`,
        `galley: ${at('utf16.md')}: not UTF-8 text`,
        'galley: 4 paths could not be imported (see above); the rest was.',
      ].sort(),
    )
    expect(titles()).toEqual(['good', 'most'])
  })

  test('a folder without markdown', async () => {
    const { import: run, folder } = library({ 'a.txt': '' })
    expect(await run(folder)).toEqual({
      code: 1,
      out: 'Imported 0 documents.\n',
      error: `galley: ${folder}: there is no markdown in this folder\ngalley: 1 path could not be imported (see above); nothing was.\n`,
    })
  })

  test.skipIf(process.platform === 'win32')('what is no file at all', async () => {
    const { import: run, at } = library({})
    execFileSync('mkfifo', [at('pipe.md')])
    expect((await run(at('pipe.md'))).error).toContain(`${at('pipe.md')}: neither a file nor a folder`)
    expect((await run(at('.'))).code).toBe(1)
  })
})

test('a thousand files go in beside a server that is used meanwhile', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [`${i % 7}/${i}.md`, `# Title ${i}\n`]),
  )
  const { folder, data } = library(files)
  const { url } = await startServer(data)
  const key = (await run('key', 'create', '--name', 'x', '--data', data)).out.trim()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let done = false
  const importing = runProcess(['import', folder, '--data', data]).finally(() => (done = true))
  let written = 0
  while (!done) {
    const { status } = await fetch(`${url}/api/documents`, {
      method: 'POST',
      headers,
      body: '{"title":"Mine"}',
    })
    expect(status).toBe(201)
    written++
  }
  expect(await importing).toEqual({ code: 0, out: matching(/\nImported 1,000 documents\.\n$/), error: '' })
  const found = await fetch(`${url}/api/documents?q=title&limit=100&offset=950`, { headers })
  expect(((await found.json()) as { data: unknown[] }).data).toHaveLength(50)
  const { code, out } = await run('check', '--data', data)
  expect([code, out.includes(` ${(1_000 + written).toLocaleString('en')} documents`)]).toEqual([0, true])
})

describe('CriticMarkup', () => {
  const source = 'A {~~b~>c~~}{>>@Ann: Why<<} {==d==}{>>hm<<} {++e'

  test('is taken as feedback where that is asked for, with a word of what stayed text', async () => {
    const { import: take, folder, data } = library({ 'a.md': source })
    const { out, error } = await take(folder, '--feedback')
    expect(out).toContain('Imported 1 document.')
    expect(error).toContain('a.md: line 1: {++ stayed text, because it is never closed')
    const target = path.join(testFolder(), 'out')
    await run('export', target, '--feedback', '--data', data)
    expect(readFileSync(path.join(target, 'a.md'), 'utf8')).toBe(
      'A {~~b~>c~~}{>>@Ann (guest): Why<<} {==d==}{>>@Unknown (guest): hm<<} \\{++e',
    )
  })

  test('stays text otherwise, and that is said', async () => {
    const { import: run, folder, documents } = library({ 'a.md': source })
    const { error } = await run(folder)
    expect(error).toContain('a.md: 1 suggestion and 1 comment in CriticMarkup stayed text.')
    expect(documents().map(({ text }) => text.whole)).toEqual([source])
  })

  test('isn’t taken where it is more than comes in at once', async () => {
    const { import: take, folder, documents } = library({ 'a.md': '{>>a<<} '.repeat(5_001), 'b.md': 'b' })
    const { code, error } = await take(folder, '--feedback')
    expect([code, error]).toEqual([
      1,
      matching(/a\.md: has more than 5,000 suggestions, comments and replies/),
    ])
    expect(documents().map(({ title }) => title)).toEqual(['b'])
  })
})
