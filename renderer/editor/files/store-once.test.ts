import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { storeOnce } from './store-once.ts'

const stored = (name: string, content: string): StoredFile => ({
  ...{ id: name, name, path: `files/${name}`, type: 'image/png', size: content.length, width: 1, height: 1 },
  sha256: createHash('sha256').update(content).digest('hex'),
})
afterEach(() => vi.unstubAllGlobals())

/** A document with files, and a browser's sending of bytes to it. */
function documentWith(...files: StoredFile[]) {
  let sent = 0
  const store = (content: string, list = () => Promise.resolve([...files])) =>
    storeOnce(new Blob([content]), {
      ...{ documentId: 'd', list },
      send: async () => {
        const name = `${++sent}.png`
        await new Promise((resolve) => setTimeout(resolve, 5))
        const file = stored(name, content)
        files.push(file)
        return { file, isNew: true }
      },
    })
  return { store, sent: () => sent }
}

test('the same bytes are the same file, and others of the same size are not', async () => {
  const [red, blue] = [stored('red.png', 'the red one'), stored('blue.png', 'a blue one.')]
  const { store, sent } = documentWith(red, blue)
  expect(await store('a blue one.')).toEqual({ file: blue, isNew: false })
  expect(await store('a grey one.')).toMatchObject({ isNew: true })
  expect(await store('a blue one.', () => Promise.reject(new Error('offline')))).toMatchObject({
    isNew: true,
  })
  expect(sent()).toBe(2)
})

test('of the same bytes that are sent at the same time one is sent, and the others find it', async () => {
  const { store, sent } = documentWith()
  const [one, other, third] = await Promise.all([store('a boat'), store('a boat'), store('a quay')])
  expect(other.file).toBe(one.file)
  expect([one.isNew, other.isNew].filter((isNew) => isNew)).toHaveLength(1)
  expect([third.isNew, sent()]).toEqual([true, 2])
  // Without them it is the server that stores them once.
  vi.stubGlobal('crypto', {})
  expect(await store('a boat')).toMatchObject({ isNew: true })
})
