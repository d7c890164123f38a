import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { dataFolder } from '../data-folder.ts'
import { lockFolder } from '../store/folder-lock.ts'
import { openStore } from '../store/store.ts'
import { testFolder } from '../testing/cli.ts'
import { withReadableStore } from './readable-data.ts'

const isWritable = () => false
const copies = () => readdirSync(tmpdir()).filter((name) => /^galley-\w{6}$/.test(name))

test('what can’t be written beside is read in a copy, with what was saved last, and nothing is left of that', async () => {
  const data = path.join(testFolder(), 'data')
  mkdirSync(data)
  // It stays open, so that what it writes stands beside the database still.
  const store = openStore({ file: dataFolder(data).database })
  const owner = store.users.owner()
  const author = { id: owner.id, name: owner.name, key: 'test' }
  const { id } = store.transaction(() =>
    store.documents.create(owner.id, { title: 'One', content: 'words' }, author),
  )
  const [before, others] = [readFileSync(dataFolder(data).database), copies()]
  const read = await withReadableStore(
    data,
    (copy, files) => {
      expect(files.files).toBe(dataFolder(data).files)
      return copy.documents.find(id)!.text.whole
    },
    { isWritable },
  )
  expect(read).toBe('words')
  expect(readFileSync(dataFolder(data).database).equals(before)).toBe(true)
  expect(copies()).toEqual(others)
  const lock = lockFolder(dataFolder(data).lock, () => '')
  await expect(withReadableStore(data, () => 'read', { isWritable })).rejects.toThrow('is in use')
  lock.release()
  store.close()
})
