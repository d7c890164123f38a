/**
 * What the benchmark compares Galley with: files that Fastify takes and writes to the disk with the same durability, and
 * serves by @fastify/static, and nothing else. Run as `node bare.ts FOLDER`; prints its port.
 */
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const folder = path.resolve(process.argv[2]!)
const app = Fastify({ bodyLimit: 100 * 1024 * 1024 })
app.addContentTypeParser('*', (_request, body, done) => done(null, body))
app.post<{ Querystring: { name: string } }>('/files', async ({ body, query }) => {
  const hash = createHash('sha256')
  const draft = path.join(folder, `${query.name}.part`)
  const handle = await open(draft, 'wx')
  for await (const part of body as AsyncIterable<Buffer>) {
    hash.update(part)
    await handle.writeFile(part)
  }
  await handle.sync()
  await handle.close()
  await rename(draft, path.join(folder, query.name))
  const directory = await open(folder)
  await directory.sync()
  await directory.close()
  return { name: query.name, sha256: hash.digest('hex') }
})
await app.register(fastifyStatic, { root: folder, prefix: '/files/' })
app.get('/documents', () => ({}))
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
