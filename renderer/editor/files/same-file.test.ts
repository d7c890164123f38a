import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { sameFile } from './same-file.ts'

const stored = (name: string, content: string): StoredFile => ({
  ...{ id: name, name, path: `files/${name}`, type: 'image/png', size: content.length, width: 1, height: 1 },
  sha256: createHash('sha256').update(content).digest('hex'),
})

test('the same bytes are the same file, and others of the same size are not', async () => {
  const [red, blue] = [stored('red.png', 'the red one'), stored('blue.png', 'a blue one.')]
  const list = () => Promise.resolve([red, blue])
  expect(await sameFile(new Blob(['a blue one.']), list)).toBe(blue)
  expect(await sameFile(new Blob(['a grey one.']), list)).toBeNull()
  expect(await sameFile(new Blob(['a blue one.']), () => Promise.reject(new Error('offline')))).toBeNull()
})
