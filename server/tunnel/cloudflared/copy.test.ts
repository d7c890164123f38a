import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCopy } from './copy.ts'
import { findProgram, oldest, type ProgramOptions } from './program.ts'
import { downloadFor, release, type Download } from './release.ts'
import { createTestCloudflared } from './testing/cloudflared.ts'

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  onTestFinished(() => {
    try {
      chmodSync(folder, 0o700)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  return folder
}

type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => void

/** The vendor's server, on this machine. */
async function serve(answer: Answer) {
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    asked.push(request.url!)
    answer(response, request)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const published = (url: string, content: Buffer, more: Partial<Download> = {}): Download => ({
  url,
  size: content.length,
  sha256: sha256(content),
  programSha256: null,
  ...more,
})

const content = Buffer.from('#!/bin/sh\necho "cloudflared version 2026.10.0 (built 2026-10-01T00:00:00Z)"\n')
const copyIn = (folder: string, download: Download | undefined) =>
  createCopy({ folder: path.join(folder, 'cloudflared'), version: '2026.10.0', download })
/** Every file below a folder. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

/** The environment of somebody who has no cloudflared. */
const nobody = { PATH: '/nonexistent' }
const find = (options: Partial<ProgramOptions> & Pick<ProgramOptions, 'copy'>) =>
  findProgram({ chosen: null, env: nobody, ...options })

test('what was published is fetched with progress, made runnable for its owner only, and found', async () => {
  let more: (() => void) | undefined
  const { url, asked } = await serve((response) => {
    response.write(content.subarray(0, 10))
    more = () => response.end(content.subarray(10))
  })
  const copy = copyIn(newFolder(), published(url, content))
  expect(await copy.check()).toBe(false)
  expect(copy.progress()).toBeUndefined()
  const done = copy.fetch()
  const joined = copy.fetch()
  await vi.waitFor(() => expect(copy.progress()).toEqual({ received: 10, size: content.length }))
  expect(existsSync(copy.file)).toBe(false)
  more!()
  await Promise.all([done, joined])
  expect(asked).toHaveLength(1)
  expect(copy.progress()).toBeUndefined()
  expect(readFileSync(copy.file)).toEqual(content)
  expect(statSync(copy.file).mode & 0o777).toBe(0o700)
  expect(statSync(path.dirname(copy.file)).mode & 0o077).toBe(0)
  expect(await copy.check()).toBe(true)
  expect(await find({ copy })).toEqual({ file: copy.file, version: '2026.10.0', origin: 'downloaded' })
})

test('what a download left that was killed goes with the next one, even if that fails', async () => {
  const { url } = await serve((response) => response.writeHead(500).end())
  const folder = newFolder()
  mkdirSync(path.join(folder, 'cloudflared/.fetching-killed'), { recursive: true })
  writeFileSync(path.join(folder, 'cloudflared/.fetching-killed/fetched'), 'half')
  await expect(copyIn(folder, published(url, content)).fetch()).rejects.toThrow('status 500')
  expect(readdirSync(path.join(folder, 'cloudflared'))).toEqual([])
})

test('a redirect is followed, and a version that an earlier Galley fetched goes', async () => {
  const { url } = await serve((response, request) =>
    request.url === '/file' ? response.end(content) : response.writeHead(302, { location: '/file' }).end(),
  )
  const folder = newFolder()
  mkdirSync(path.join(folder, 'cloudflared/2025.8.0'), { recursive: true })
  writeFileSync(path.join(folder, 'cloudflared/2025.8.0/cloudflared'), 'old')
  await copyIn(folder, published(url, content)).fetch()
  expect(readdirSync(path.join(folder, 'cloudflared'))).toEqual(['2026.10.0'])
})

const other = Buffer.from(content).fill('x', 20, 21)
test.each<[string, Answer, string, boolean]>([
  ['something else of the same size', (response) => response.end(other), 'checksum mismatch', true],
  [
    'more than was published',
    (response) => response.end(Buffer.concat([content, content])),
    'checksum mismatch',
    true,
  ],
  [
    'half of it, and then nothing',
    (response) => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 10))
      setImmediate(() => response.destroy())
    },
    'network blocked',
    false,
  ],
  [
    'half of it, as if it were all',
    (response) => response.end(content.subarray(0, 10)),
    'network blocked',
    false,
  ],
  ['an error', (response) => response.writeHead(500).end(content), 'network blocked', false],
  ['that it is gone', (response) => response.writeHead(404).end(content), 'network blocked', false],
  ['that it was asked too often', (response) => response.writeHead(429).end(), 'rate limited', false],
])('when the server sends %s, nothing is kept', async (_what, answer, reason, final) => {
  const { url } = await serve(answer)
  const folder = newFolder()
  const copy = copyIn(folder, published(url, content))
  await expect(copy.fetch()).rejects.toMatchObject({ name: 'TunnelFailure', reason, final })
  expect(filesIn(folder)).toEqual([])
  expect(copy.progress()).toBeUndefined()
  expect(await copy.check()).toBe(false)
})

test('a download that failed can be tried again', async () => {
  let broken = true
  const { url } = await serve((response) => (broken ? response.end(other) : response.end(content)))
  const copy = copyIn(newFolder(), published(url, content))
  await expect(copy.fetch()).rejects.toThrow()
  broken = false
  await copy.fetch()
  expect(await copy.check()).toBe(true)
})

test('a download that is stopped leaves nothing', async () => {
  const { url } = await serve((response) => void response.write(content.subarray(0, 10)))
  const folder = newFolder()
  const copy = copyIn(folder, published(url, content))
  const stop = new AbortController()
  const done = copy.fetch(stop.signal)
  const failed = expect(done).rejects.toThrow('cut off')
  await vi.waitFor(() => expect(copy.progress()?.received).toBe(10))
  stop.abort()
  await failed
  expect(filesIn(folder)).toEqual([])
})

test('a server that isn’t there is told as what it is', async () => {
  const { url } = await serve((response) => response.end())
  const gone = url.replace(/\d+$/, '1')
  await expect(copyIn(newFolder(), published(gone, content)).fetch()).rejects.toMatchObject({
    reason: 'network blocked',
  })
  await expect(
    copyIn(newFolder(), published('https://nowhere.invalid/cloudflared', content)).fetch(),
  ).rejects.toMatchObject({ reason: 'offline' })
})

test('a folder that can’t be written to is told', async () => {
  const { url } = await serve((response) => response.end(content))
  const folder = newFolder()
  writeFileSync(path.join(folder, 'cloudflared'), 'a file where the folder would be')
  await expect(copyIn(folder, published(url, content)).fetch()).rejects.toBeInstanceOf(Error)
  expect(filesIn(folder)).toEqual(['cloudflared'])
})

/** An archive as the vendor makes it. */
function archiveOf(program: Buffer): Buffer {
  const folder = newFolder()
  writeFileSync(path.join(folder, 'cloudflared'), program, { mode: 0o755 })
  execFileSync('/usr/bin/tar', ['-czf', 'all.tgz', 'cloudflared'], { cwd: folder })
  return readFileSync(path.join(folder, 'all.tgz'))
}

test('from an archive comes the program, if that too is what was published', async () => {
  const archive = archiveOf(content)
  const { url } = await serve((response) => response.end(archive))
  const copy = copyIn(newFolder(), published(url, archive, { programSha256: sha256(content) }))
  await copy.fetch()
  expect(readFileSync(copy.file)).toEqual(content)
  expect(await copy.check()).toBe(true)

  const folder = newFolder()
  const wrong = copyIn(folder, published(url, archive, { programSha256: sha256(other) }))
  await expect(wrong.fetch()).rejects.toMatchObject({ reason: 'checksum mismatch' })
  expect(filesIn(folder)).toEqual([])
})

test('an archive that holds something else is refused', async () => {
  const { url } = await serve((response) => response.end(content))
  const folder = newFolder()
  const copy = copyIn(folder, published(url, content, { programSha256: sha256(content) }))
  await expect(copy.fetch()).rejects.toMatchObject({ reason: 'not installed' })
  expect(filesIn(folder)).toEqual([])
})

test('a program that was changed after it was fetched is never started, whatever else there is', async () => {
  const { url } = await serve((response) => response.end(content))
  const folder = newFolder()
  const copy = copyIn(folder, published(url, content))
  await copy.fetch()
  const started = path.join(folder, 'started')
  writeFileSync(copy.file, Buffer.concat([content, Buffer.from(`touch '${started}'\n`)]))
  const fake = await createTestCloudflared(path.join(folder, 'bin'))
  const options = { copy, env: { PATH: path.dirname(fake.file) } }
  await expect(find(options)).rejects.toMatchObject({ reason: 'checksum mismatch', final: true })
  expect(existsSync(started)).toBe(false)
  await copy.fetch()
  expect((await find(options)).origin).toBe('downloaded')
})

test('nothing is fetched for a machine whose checksum isn’t known', async () => {
  const copy = copyIn(newFolder(), downloadFor('freebsd', 'x64'))
  await expect(copy.fetch()).rejects.toMatchObject({ reason: 'not installed', final: true })
})

test('without consent it is asked for, where there is something to consent to', async () => {
  const folder = newFolder()
  await expect(
    find({ copy: copyIn(folder, published('http://127.0.0.1:1', content)) }),
  ).rejects.toMatchObject({
    reason: 'consent needed',
    final: true,
  })
  await expect(find({ copy: copyIn(folder, undefined) })).rejects.toMatchObject({
    reason: 'not installed',
    final: true,
    message: expect.stringContaining('as Cloudflare says') as unknown,
  })
})

test('one on the PATH is found without consent, but not by a relative folder', async () => {
  const folder = newFolder()
  const copy = copyIn(folder, undefined)
  const bin = path.join(folder, 'bin')
  const fake = await createTestCloudflared(bin)
  const PATH = ['', '.', path.relative(process.cwd(), bin), path.join(folder, 'none'), bin].join(
    path.delimiter,
  )
  expect(await find({ copy, env: { PATH } })).toEqual({
    file: fake.file,
    version: '2026.10.0',
    origin: 'path',
  })
  await expect(find({ copy, env: { PATH: path.relative(process.cwd(), bin) } })).rejects.toMatchObject({
    reason: 'not installed',
  })
})

test('the owner’s own goes before any other', async () => {
  const folder = newFolder()
  const fake = await createTestCloudflared(path.join(folder, 'own'), {
    version: 'cloudflared version 2026.9.3 (built 2026-09-20T00:00:00Z)',
  })
  const copy = copyIn(folder, undefined)
  expect(await find({ copy, chosen: fake.file })).toEqual({
    file: fake.file,
    version: '2026.9.3',
    origin: 'chosen',
  })
})

test.each([
  ['one that is too old', 'cloudflared version 2025.6.0 (built 2025-06-01)', new RegExp(`needs ${oldest}`)],
  ['another program', 'GNU bash, version 5.2.15', /isn’t cloudflared/],
])('%s is refused', async (_what, version, message) => {
  const folder = newFolder()
  const fake = await createTestCloudflared(path.join(folder, 'own'), { version })
  await expect(find({ copy: copyIn(folder, undefined), chosen: fake.file })).rejects.toMatchObject({
    reason: 'not installed',
    final: true,
    message: expect.stringMatching(message) as unknown,
  })
})

test('a path that leads to no program is refused with what is wrong', async () => {
  const folder = newFolder()
  const copy = copyIn(folder, undefined)
  writeFileSync(path.join(folder, 'text'), 'Not a program.')
  for (const [chosen, message] of [
    [path.join(folder, 'none'), /There is no/],
    [folder, /isn’t a program/],
    ['cloudflared', /whole path/],
    [path.join(folder, 'text'), /can’t be run/],
  ] as const)
    await expect(find({ copy, chosen })).rejects.toMatchObject({
      reason: 'not installed',
      message: expect.stringMatching(message) as unknown,
    })
})

test('each download is one file of one release, with a checksum and a size', () => {
  expect(Object.keys(release.downloads).sort()).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-x64',
    'win32-x64',
  ])
  const sums = Object.values(release.downloads).flatMap((one) => [one.sha256, one.programSha256 ?? []].flat())
  expect(new Set(sums).size).toBe(7)
  for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{64}$/)
  for (const { url, size, programSha256 } of Object.values(release.downloads)) {
    expect(url).toContain(`https://github.com/cloudflare/cloudflared/releases/download/${release.version}/`)
    expect(size).toBeGreaterThan(10_000_000)
    expect(programSha256 !== null).toBe(url.endsWith('.tgz'))
  }
})
