import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { limits } from '../../server/contract/limits.ts'
import { readDocumentFile } from './file-reading.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-files-'))
const at = (name: string) => path.join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

test('a file is read byte by byte, and named by its own path', async () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x23, 0x0d, 0x0a, 0xff])
  writeFileSync(at('notes.md'), bytes)
  symlinkSync(at('notes.md'), at('link.md'))
  for (const name of ['notes.md', 'link.md'])
    expect(await readDocumentFile(at(name))).toEqual({ bytes: new Uint8Array(bytes), path: at('notes.md') })
})

test('what can’t be read says why', async () => {
  mkdirSync(at('folder.md'))
  writeFileSync(at('huge.md'), '')
  truncateSync(at('huge.md'), limits.contentBytes + 1)
  symlinkSync(at('round.md'), at('round.md'))
  expect(await readDocumentFile(at('none.md'))).toEqual({ problem: 'gone' })
  expect(await readDocumentFile(at('notes.md/x.md'))).toEqual({ problem: 'gone' })
  expect(await readDocumentFile(at('folder.md'))).toEqual({ problem: 'folder' })
  expect(await readDocumentFile(at('huge.md'))).toEqual({ problem: 'too-large' })
  expect(await readDocumentFile(at('round.md'))).toEqual({ problem: 'unreadable' })
})

test.skipIf(process.platform === 'win32')('a pipe is not waited for', async () => {
  execFileSync('mkfifo', [at('pipe.md')])
  expect(await readDocumentFile(at('pipe.md'))).toEqual({ problem: 'unreadable' })
  expect(await readDocumentFile('/dev/zero')).toEqual({ problem: 'unreadable' })
})

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a file that this account may not read says so',
  async () => {
    writeFileSync(at('secret.md'), 'x', { mode: 0o000 })
    expect(await readDocumentFile(at('secret.md'))).toEqual({ problem: 'forbidden' })
  },
)
