import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { run, testFolder } from '../testing/cli.ts'

/** A data folder with documents of these titles and texts, all changed at the same moment. */
function library(documents: readonly (readonly [title: string, content: string])[]) {
  const base = testFolder()
  const [data, target] = [path.join(base, 'data'), path.join(base, 'out')]
  mkdirSync(data)
  const store = openStore({
    file: path.join(data, 'galley.db'),
    now: () => Date.UTC(2020, 1, 2, 3, 4, 5, 678),
  })
  const owner = store.users.owner()
  const author = { id: owner.id, name: owner.name, key: 'test' }
  for (const [title, content] of documents) store.documents.create(owner.id, { title, content }, author)
  const anna = store.users.create('Anna')
  store.documents.create(anna.id, { title: 'Anna’s', content: 'hers' }, { ...author, id: anna.id })
  store.close()
  return {
    data,
    target,
    export: (...args: string[]) => run('export', target, ...args, '--data', data),
    read: (name: string) => readFileSync(path.join(target, name), 'utf8'),
  }
}

/** Without what is noted beside them. */
const markdownIn = (folder: string) => readdirSync(folder).filter((name) => name !== '.galley.json')

test('every document becomes a file with its text exactly and its own time', async () => {
  const text = '\uFEFF# One\r\n\0👩‍👩‍👧'
  const { export: run, target, read } = library([['One', text]])
  expect(await run()).toEqual({ code: 0, out: `Exported 2 documents to ${target}.\n`, error: '' })
  expect(readdirSync(target).sort()).toEqual(['Anna’s.md', 'One.md'])
  expect(read('One.md')).toBe(text)
  expect(statSync(path.join(target, 'One.md')).mtime.toISOString()).toBe('2020-02-02T03:04:05.678Z')
})

test('names are made unique, also where only their case differs, and fit every file system', async () => {
  const titles = [
    'Same',
    'Same',
    'same',
    'Same (2)',
    '',
    'a/b',
    'a:b',
    'CON',
    '漢'.repeat(500),
    '漢'.repeat(499),
  ]
  const { export: run, target } = library(titles.map((title, i) => [title, String(i)] as const))
  await run('--user', 'Owner')
  const names = markdownIn(target)
  expect(names.sort()).toEqual(
    [
      'Same.md',
      'Same (2).md',
      'same (3).md',
      'Same (2) (2).md',
      'Untitled.md',
      'a b.md',
      'a b (2).md',
      'Untitled CON.md',
      `${'漢'.repeat(66)}.md`,
      `${'漢'.repeat(66)} (2).md`,
    ].sort(),
  )
})

test('a format that there isn’t is wrong usage, and what is tracked is markdown', async () => {
  const { export: run } = library([['One', 'x']])
  expect(await run('--format', 'pdf')).toMatchObject({
    code: 2,
    error: expect.stringContaining('md, html') as string,
  })
  expect(await run('--format', 'html', '--track')).toMatchObject({ code: 2 })
})

test('only the documents of the user who is named', async () => {
  const { export: run, target } = library([['One', 'x']])
  expect(await run('--user', 'Anna')).toMatchObject({ code: 0 })
  expect(readdirSync(target)).toEqual(['Anna’s.md'])
})

test('what is too large for Word is named, and the others are written', async () => {
  // Too deep to be set, so that all its lines stand there as they are.
  const large = `${'> '.repeat(200)}<b>${'\n'.repeat(100_001)}`
  const { export: run, target } = library([
    ['One', 'x'],
    ['Large', large],
  ])
  expect(await run('--format', 'docx')).toEqual({
    code: 1,
    out: `Exported 2 documents to ${target}.\n`,
    error:
      'galley: Large: The text is too large for a Word file. Its markdown can be exported.\ngalley: 1 document could not be exported (see above); the rest was.\n',
  })
  expect(readdirSync(target).sort()).toEqual(['Anna’s.docx', 'One.docx'])
})

test('of documents that are damaged what can be read is written, and all others are', async () => {
  const {
    data,
    export: run,
    target,
    read,
  } = library([
    ['One', 'one'],
    ['Two', 'two'],
    ['Three', 'three'],
  ])
  const store = openStore({ file: path.join(data, 'galley.db') })
  const owner = store.users.owner()
  const author = { id: owner.id, name: owner.name, key: 'test' }
  const ids = store.documents.listIds(owner.id)
  for (const id of ids) {
    const content = `${store.documents.find(id)!.text.whole} more`
    store.transaction(() =>
      store.documents.change(store.documents.find(id)!, { content, kind: 'edit', author, informed: true }),
    )
  }
  store.deferred.now()
  store.db.exec(`DELETE FROM keyframes WHERE document = 2;
    DELETE FROM keyframes WHERE document = 3 AND revision = 2;
    UPDATE changes SET changes = '[' WHERE document = 3 AND revision = 2`)
  store.close()
  const { code, out, error } = await run()
  expect([code, out]).toEqual([1, `Exported 3 documents to ${target}.\n`])
  expect(error.split('\n')).toEqual([
    `galley: Two (${ids[1]}) is damaged, and no text of it can be read. “galley check” says since when; “galley restore FILE” brings back a backup.`,
    `galley: Three (${ids[2]}) is damaged, and can’t be read as it is now; ${path.join(target, 'Three (damaged).md')} has what of it can be read. “galley check” says since when; “galley restore FILE” brings back a backup.`,
    expect.stringMatching(/^galley: 2 documents could not be exported/),
    '',
  ])
  expect(markdownIn(target).sort()).toEqual(['Anna’s.md', 'One.md', 'Three (damaged).md'])
  expect([read('One.md'), read('Three (damaged).md')]).toEqual(['one more', 'three'])
})

test('a folder that isn’t empty is left as it is, unless --force says otherwise', async () => {
  const { export: run, target, read } = library([['One', 'new']])
  mkdirSync(target)
  for (const name of ['One.md', 'other.txt']) writeFileSync(path.join(target, name), 'mine')
  const { code, out, error } = await run()
  expect([code, out]).toEqual([1, ''])
  expect(error).toMatch(/^galley: .* is not empty\. .*--force.*\n$/)
  expect([read('One.md'), readdirSync(target).length]).toEqual(['mine', 2])
  expect((await run('--force')).code).toBe(0)
  expect([read('One.md'), read('other.txt'), readdirSync(target).length]).toEqual(['new', 'mine', 3])
})

test('a target that is a file, or can’t be made, is refused; an unknown user makes no folder', async () => {
  const { export: run, target } = library([])
  expect((await run('--user', 'Nobody')).code).toBe(1)
  expect(existsSync(target)).toBe(false)
  writeFileSync(target, 'a file')
  expect(await run()).toMatchObject({ code: 1, error: `galley: ${target} is not a folder.\n` })
})

test('what is exported can be imported again and is the same, with titles that neither text nor name gives', async () => {
  const documents = [
    ['One', '# One\r\ntext'],
    ['Two', 'no heading\n'],
    ['My real title', '# Heading inside\n'],
    ['What? a/b: yes', '---\ntitle: Other\n---\n'],
    ['CON', 'x'],
    ['two', '# Two'],
    ['', 'no title'],
    ['a\u202eb', '\uFEFFc'],
  ] as const
  const { export: runExport, target, data: before } = library(documents)
  await runExport()
  const data = path.join(testFolder(), 'data')
  expect(await run('import', target, '--data', data)).toMatchObject({ code: 0, error: '' })
  const listed = async (folder: string) => {
    const { out } = await run('doc', 'list', '--json', '--data', folder)
    const titles = (JSON.parse(out) as { title: string }[]).map(({ title }) => title)
    return titles.filter((title) => title !== 'Anna’s').sort()
  }
  expect(await listed(data)).toEqual(await listed(before))
  const again = path.join(testFolder(), 'again')
  await run('export', again, '--data', data)
  expect(readdirSync(again).sort()).toEqual(readdirSync(target).sort())
  for (const name of markdownIn(target))
    expect(readFileSync(path.join(again, name)).equals(readFileSync(path.join(target, name)))).toBe(true)

  // One that fits again is noted no more; a file that is renamed, and what isn’t a title, is what it says itself.
  const id = (await run('doc', 'list', '--search', 'Heading', '--json', '--data', before)).out
  await run(
    'doc',
    'edit',
    (JSON.parse(id) as [{ id: string }])[0].id,
    '--title',
    'Heading inside',
    '--data',
    before,
  )
  await runExport('--force')
  const noted = JSON.parse(readFileSync(path.join(target, '.galley.json'), 'utf8')) as { titles: object }
  expect(noted.titles).not.toHaveProperty(['Heading inside.md'])
  writeFileSync(
    path.join(target, '.galley.json'),
    '{"version":1,"documents":{},"titles":{"One.md":1,"Two.md":"2\\ud800"}}',
  )
  const third = path.join(testFolder(), 'third')
  await run('import', path.join(target, 'One.md'), path.join(target, 'Two.md'), '--data', third)
  expect(await listed(third)).toEqual(['One', 'Two'])
})

test('the title of a document that has a folder of its own comes back, also with --track', async () => {
  const { export: runExport, target, data } = library([['CON', '# Inside']])
  const source = path.join(testFolder(), 'a.md')
  writeFileSync(source, '![](p.png)')
  writeFileSync(path.join(path.dirname(source), 'p.png'), Buffer.from('89504e470d0a1a0a', 'hex'))
  const imported = await run('import', source, '--json', '--data', data)
  const [{ id }] = JSON.parse(imported.out) as [{ id: string }]
  await run('doc', 'edit', id, '--title', 'What?', '--data', data)
  await runExport('--track')
  expect(readdirSync(path.join(target, 'What')).sort()).toEqual(['What.md', 'files'])
  const other = path.join(testFolder(), 'data')
  expect((await run('import', target, '--track', '--data', other)).out).toMatch(
    / {2}CON\n(.*\n)*.* {2}What\?\n/,
  )
})

test('however many there are, each has a name of its own, and nothing else is left', async () => {
  const titles = Array.from({ length: 250 }, (_, n) => `Title ${n % 90}`)
  const { export: run, target, read } = library(titles.map((title, n) => [title, `text ${n}`] as const))
  mkdirSync(target)
  const blocked = path.join(target, 'Title 7 (2).md')
  mkdirSync(blocked)
  expect((await run('--user', 'Owner', '--force')).code).toBe(1)
  expect(markdownIn(target).filter((name) => !/^Title \d+( \(\d\))?\.md$/.test(name))).toEqual([])
  rmdirSync(blocked)
  expect(await run('--user', 'Owner', '--force')).toMatchObject({
    code: 0,
    out: `Exported 250 documents to ${target}.\n`,
  })
  const names = markdownIn(target)
  expect(names.map(read).sort()).toEqual(titles.map((_, n) => `text ${n}`).sort())
  expect([read('Title 7.md'), read('Title 7 (2).md'), read('Title 7 (3).md')]).toEqual([
    'text 7',
    'text 97',
    'text 187',
  ])
})
