import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parts } from './parts.mjs'

test('every part is made of sources that exist', () => {
  const root = path.resolve(import.meta.dirname, '..')
  const missing = parts.flatMap((part) => [...part.entries, ...part.sources, ...(part.except ?? [])])
  expect(missing.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})
