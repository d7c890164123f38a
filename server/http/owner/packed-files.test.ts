import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'
import { servedHosts } from '../hosts.ts'
import { createOwnerApp } from './app.ts'

const assetsFolder = mkdtempSync(path.join(tmpdir(), 'galley-packed-'))
let galley: TestGalley
let app: Awaited<ReturnType<typeof createOwnerApp>>
beforeAll(async () => {
  for (const part of ['owner', 'share/assets']) mkdirSync(path.join(assetsFolder, part), { recursive: true })
  const file = path.join(assetsFolder, 'owner/app.js')
  writeFileSync(file, 'let it = 1')
  writeFileSync(`${file}.br`, brotliCompressSync('let it = 1'))
  galley = await createTestGalley()
  app = await createOwnerApp(galley.context, { hosts: servedHosts(() => 4780, []), assetsFolder })
})
afterAll(async () => {
  await app.close()
  await galley.close()
  rmSync(assetsFolder, { recursive: true })
})

const get = (url: string) => app.inject({ url, headers: { host: '127.0.0.1:4780', 'accept-encoding': 'br' } })

it('what is packed is sent instead of its file, and has no path of its own', async () => {
  const packed = await get('/app.js')
  expect(packed.headers).toMatchObject({ 'content-encoding': 'br' })
  expect(packed.headers['content-type']).toMatch('javascript')
  expect((await get('/app.js.br')).statusCode).toBe(404)
})
