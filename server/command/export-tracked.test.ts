import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run, runWith, testFolder } from '../testing/cli.ts'
import { pngOf } from '../testing/pictures.ts'

function setUp() {
  const folder = testFolder()
  const data = path.join(folder, 'data')
  const notes = path.join(folder, 'notes')
  mkdirSync(path.join(notes, 'deep'), { recursive: true })
  const at = (name: string) => path.join(notes, name)
  const galley = (...args: string[]) => run(...args, '--data', data)
  return {
    folder,
    notes,
    at,
    galley,
    write: (name: string, text: string | Buffer) => writeFileSync(at(name), text),
    text: (name: string) => readFileSync(at(name), 'utf8'),
    bring: () => galley('import', notes, '--track'),
    take: (...more: string[]) => galley('export', notes, '--track', ...more),
    idOf: (name: string) => {
      const { documents } = JSON.parse(readFileSync(at('.galley.json'), 'utf8')) as {
        documents: Record<string, { id: string }>
      }
      return documents[name]!.id
    },
    edit: (id: string, input: string) => runWith({ input }, 'doc', 'edit', id, '-', '--data', data),
    read: async (id: string) => (await galley('doc', 'read', id)).out,
  }
}

test('a tracked export brings what changed in Galley to the files it knows, and to no other', async () => {
  const { folder, write, text, bring, take, idOf, edit, galley, notes } = setUp()
  write('z.md', '# Zed\n\none\n')
  write('same.md', 'same\n')
  await bring()
  await galley('doc', 'new', path.join(notes, 'same.md'), '--title', 'Other')
  await edit(idOf('z.md'), '# Zed\n\ntwo\n')
  expect(await take()).toEqual({
    code: 0,
    out: 'Changed 1 file; 1 file had nothing to take.\n',
    error: '',
  })
  expect(text('z.md')).toBe('# Zed\n\ntwo\n')
  expect(readdirSync(notes).sort()).toEqual(['.galley.json', 'deep', 'same.md', 'z.md'])
  // What was taken is known: neither way has anything to bring.
  expect((await bring()).out).toContain('Changed 0 documents; 2 files had not changed.')
  expect((await take()).out).toContain('Changed 0 files; 2 files had nothing to take.')

  write('Other.md', 'mine\n')
  expect(await take('--all')).toMatchObject({ code: 0, error: '' })
  expect([text('Other.md'), text('Other (2).md')]).toEqual(['mine\n', 'same\n'])
  expect(idOf('Other (2).md')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await take('--force')).toMatchObject({ code: 2 })

  const other = path.join(folder, 'other')
  mkdirSync(other)
  writeFileSync(path.join(other, 'a.md'), 'mine\n')
  expect(await galley('export', other, '--track')).toMatchObject({ code: 1 })
  expect(readdirSync(other)).toEqual(['a.md'])
  expect(readFileSync(path.join(other, 'a.md'), 'utf8')).toBe('mine\n')
})

test('what was written in a file is kept by a tracked export, and refused where it is the same words', async () => {
  const { write, text, bring, take, idOf, edit, read } = setUp()
  write('a.md', 'one\n\ntwo\n\nthree\n')
  await bring()
  const id = idOf('a.md')
  write('a.md', 'one\n\ntwo\n\nthree\n\nLOCAL WORK\n')
  expect(await take()).toMatchObject({
    code: 0,
    error: expect.stringContaining('changes that Galley hasn’t') as string,
  })
  expect(text('a.md')).toContain('LOCAL WORK')

  await edit(id, 'ONE\n\ntwo\n\nthree\n')
  expect((await take()).out).toContain('Changed 1 file (1 merged with what was changed there)')
  expect(text('a.md')).toBe('ONE\n\ntwo\n\nthree\n\nLOCAL WORK\n')
  expect(await read(id)).toBe('ONE\n\ntwo\n\nthree\n')
  expect((await bring()).out).toContain('Changed 1 document;')
  expect(await read(id)).toBe('ONE\n\ntwo\n\nthree\n\nLOCAL WORK\n')

  await edit(id, 'ONE\n\ntheirs\n\nthree\n\nLOCAL WORK\n')
  write('a.md', 'ONE\n\nmine\n\nthree\n\nLOCAL WORK\n')
  const refused = await take()
  expect(refused).toMatchObject({
    code: 5,
    error: expect.stringContaining(`galley doc read ${id}`) as string,
  })
  expect(text('a.md')).toBe('ONE\n\nmine\n\nthree\n\nLOCAL WORK\n')
})

test('pictures keep their places beside files, new ones come along, and none is replaced', async () => {
  const { write, text, bring, take, idOf, edit, at, galley, folder, notes } = setUp()
  const [sea, hill] = [pngOf(8, 6), pngOf(6, 8)]
  mkdirSync(at('img'))
  mkdirSync(at('files'))
  write('img/my sea.png', sea)
  write('a.md', 'one\n\n![sea](<img/my sea.png>)\n')
  write('b.md', '![hill](hill.png)\n')
  write('hill.png', hill)
  write('files/hill.png', sea)
  await bring()
  expect((await galley('doc', 'read', idOf('a.md'))).out).toContain('files/my-sea.png')
  await edit(idOf('a.md'), 'two\n\n![sea](<files/my-sea.png>)\n')
  expect(await take()).toMatchObject({ code: 0, error: '' })
  expect(text('a.md')).toBe('two\n\n![sea](<img/my%20sea.png>)\n')
  expect((await bring()).out).toContain('Changed 0 documents; 2 files had not changed.')

  // As if its picture had come in Galley: gone from where it was.
  rmSync(at('b.md'))
  rmSync(at('hill.png'))
  expect(await take()).toMatchObject({ code: 0, error: '' })
  expect(text('b.md')).toBe('![hill](files/hill-2.png)\n')
  expect(readFileSync(at('files/hill-2.png'))).toEqual(hill)
  expect(readFileSync(at('files/hill.png'))).toEqual(sea)
  write('b.md', `${text('b.md')}more\n`)
  await bring()
  const out = path.join(folder, 'out')
  await galley('export', out)
  expect(readFileSync(path.join(out, 'b/b.md'), 'utf8')).toMatch(
    /^!\[hill\]\(files\/hill(-2)?\.png\)\nmore\n$/,
  )
  expect(existsSync(path.join(notes, 'hill.png'))).toBe(false)
})

test('a file that was renamed stays its document both ways; one that is gone leaves its document alone', async () => {
  const { write, text, bring, take, idOf, edit, at, galley } = setUp()
  write('a.md', 'one\n')
  write('b.md', 'two\n')
  await bring()
  const [a, b] = [idOf('a.md'), idOf('b.md')]
  renameSync(at('a.md'), at('deep/a2.md'))
  rmSync(at('b.md'))
  const { code, out, error } = await bring()
  expect([code, out]).toEqual([0, 'Changed 0 documents; 1 file had not changed.\nImported 0 documents.\n'])
  expect(error).toContain(`a2.md: was a.md before`)
  expect(error).toContain(`“galley doc delete ${b}”`)
  expect(idOf('deep/a2.md')).toBe(a)
  expect((await galley('doc', 'list')).out.match(/\n/g)).toHaveLength(2)

  renameSync(at('deep/a2.md'), at('a3.md'))
  await edit(a, 'ONE\n')
  expect(await take()).toMatchObject({ code: 0 })
  expect([text('a3.md'), text('b.md'), existsSync(at('deep/a2.md'))]).toEqual(['ONE\n', 'two\n', false])
  await galley('doc', 'delete', b)
  expect(await take()).toMatchObject({ code: 0, error: expect.stringContaining('in the trash') as string })
  expect(text('b.md')).toBe('two\n')
})

test('nothing is written outside of the folder, whatever is said to be known', async () => {
  const { folder, write, bring, take, edit, idOf, at, notes } = setUp()
  write('a.md', 'one\n')
  await bring()
  const id = idOf('a.md')
  await edit(id, 'two\n')
  const known = { id, revision: 1, hash: 'x' }
  symlinkSync(path.join(folder, 'away.md'), at('link.md'))
  write(
    '.galley.json',
    JSON.stringify({
      version: 1,
      documents: { '../out.md': known, '.hidden/a.md': known, 'link.md': known },
    }),
  )
  expect(await take()).toMatchObject({ code: 1, error: expect.stringContaining('leads out') as string })
  expect([readdirSync(folder).sort(), readdirSync(notes).sort()]).toEqual([
    ['data', 'notes'],
    ['.galley.json', 'a.md', 'deep', 'link.md'],
  ])
})
