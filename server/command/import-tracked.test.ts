import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { run, runWith, testFolder } from '../testing/cli.ts'

interface Told {
  id: string
  title: string
  file: string
  became: string
}

function setUp() {
  const folder = testFolder()
  const data = path.join(folder, 'data')
  const notes = path.join(folder, 'notes')
  mkdirSync(path.join(notes, 'deep'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(path.join(notes, name), text)
  return {
    notes,
    write,
    file: (name: string) => path.join(notes, name),
    track: () => run('import', notes, '--track', '--data', data),
    async tracked() {
      const { code, out, error } = await run('import', notes, '--track', '--json', '--data', data)
      return { code, error, told: JSON.parse(out) as Told[] }
    },
    read: async (id: string) => (await run('doc', 'read', id, '--data', data)).out,
    edit: (id: string, input: string) => runWith({ input }, 'doc', 'edit', id, '-', '--data', data),
    galley: (...args: string[]) => run(...args, '--data', data),
  }
}

test('a tracked import skips what is as it was, and brings what has changed to the same document', async () => {
  const { notes, write, file, track, tracked, read, galley } = setUp()
  write('a.md', '# A\n\none\n\ntwo\n')
  write('deep/b.md', '# B\n')
  const first = await tracked()
  expect(first).toMatchObject({ code: 0, told: [{ became: 'new' }, { became: 'new' }] })
  const a = first.told.find(({ file: from }) => from === file('a.md'))!.id

  expect((await track()).out).toBe('Changed 0 documents; 2 files had not changed.\nImported 0 documents.\n')
  write('a.md', '# A\n\nONE\n\ntwo\n')
  write('c.md', '# C\n')
  expect((await tracked()).told).toMatchObject([
    { title: 'C', became: 'new' },
    { id: a, became: 'changed' },
  ])
  expect(await read(a)).toBe('# A\n\nONE\n\ntwo\n')
  const versions = JSON.parse((await galley('doc', 'versions', a, '--json')).out) as object[]
  expect(versions).toMatchObject([{ kind: 'import' }, { kind: 'import' }])

  // One document more for each that isn’t known; without --track all are.
  expect((await galley('import', notes)).out).toContain('Imported 3 documents.')
  expect(await galley('import', notes, '--track', '--feedback')).toMatchObject({ code: 2 })
})

test('what was changed in Galley, too, is kept where it is elsewhere, again and again, and refused where it is the same', async () => {
  const { write, file, tracked, read, edit } = setUp()
  write('a.md', 'one\n\ntwo\n\nthree\n')
  const { id } = (await tracked()).told[0]!
  await edit(id, 'one\n\ntwo\n\nTHREE\n')
  write('a.md', 'ONE\n\ntwo\n\nthree\n')
  expect(await tracked()).toMatchObject({ code: 0, told: [{ id, became: 'merged' }] })
  expect(await read(id)).toBe('ONE\n\ntwo\n\nTHREE\n')
  // The file never had THREE; that it hasn’t now takes nothing away.
  write('a.md', 'One more time\n\ntwo\n\nthree\n')
  expect(await tracked()).toMatchObject({ code: 0, told: [{ became: 'merged' }] })
  expect(await read(id)).toBe('One more time\n\ntwo\n\nTHREE\n')

  await edit(id, 'One more time\n\ntheirs\n\nTHREE\n')
  write('a.md', 'One more time\n\nmine\n\nthree\n')
  const refused = await tracked()
  expect(refused).toMatchObject({ code: 5, told: [] })
  expect(refused.error).toContain(`“galley doc edit ${id} ${file('a.md')}” takes the file’s text`)
  expect(await read(id)).toBe('One more time\n\ntheirs\n\nTHREE\n')
  // Also where another file can't be read at all.
  writeFileSync(file('bad.md'), Buffer.from([0xff, 0xfe, 0xfd]))
  expect(await tracked()).toMatchObject({ code: 5, error: expect.stringContaining('not UTF-8') as string })
})

test('what was deleted in Galley doesn’t come back by itself, and a memory that can’t be read is told', async () => {
  const { write, file, tracked, galley, track } = setUp()
  write('a.md', 'one\n')
  const { id } = (await tracked()).told[0]!
  await galley('doc', 'delete', id)
  expect(await tracked()).toMatchObject({
    code: 5,
    told: [],
    error: expect.stringContaining(`galley doc restore ${id}`) as string,
  })
  // In another Galley it is a new document.
  const other = testFolder()
  expect((await run('import', file(''), '--track', '--data', other)).out).toContain('Imported 1 document.')
  writeFileSync(file('.galley.json'), '{')
  expect(await track()).toMatchObject({ code: 1, error: expect.stringContaining('.galley.json') as string })
  rmSync(file('.galley.json'))
})

test('pictures that come to stand in a text later come along', async () => {
  const { write, file, tracked, read, galley } = setUp()
  write('a.md', 'one\n')
  const { id } = (await tracked()).told[0]!
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  writeFileSync(file('dot.png'), Buffer.from(dot, 'base64'))
  write('a.md', 'one\n\n![dot](dot.png)\n')
  expect(await tracked()).toMatchObject({ code: 0, error: '', told: [{ became: 'changed' }] })
  expect(await read(id)).toBe('one\n\n![dot](files/dot.png)\n')
  expect(await tracked()).toMatchObject({ told: [] })

  // An export that is tracked goes the other way.
  const out = path.join(testFolder(), 'x')
  expect(await galley('export', out, '--track')).toMatchObject({ code: 0 })
  expect(readFileSync(path.join(out, 'a/files/dot.png'))).toEqual(Buffer.from(dot, 'base64'))
  writeFileSync(path.join(out, 'a/a.md'), 'two\n\n![dot](files/dot.png)\n')
  expect((await galley('import', out, '--track')).out).toContain(
    'Changed 1 document; 0 files had not changed.',
  )
  expect(await read(id)).toBe('two\n\n![dot](files/dot.png)\n')
})
