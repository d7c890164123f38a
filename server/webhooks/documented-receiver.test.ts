import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../store/testing/store.ts'
import { openScene } from './testing/scene.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

test('the receiver in the documentation takes what Galley sends, once, and nobody else’s', async () => {
  const document = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const script = path.join(testFolder(), 'receiver.mjs')
  writeFileSync(script, /```js\n([\s\S]*?)```/.exec(document)![1]!)
  const scene = openScene()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { id, secret } = scene.webhook(url)
  const receiver = spawn(process.execPath, [script], { env: { SECRET: secret, PORT: String(port) } })
  onTestFinished(() => void receiver.kill())
  let said = ''
  receiver.stdout.on('data', (part: Buffer) => (said += part.toString()))
  await expect.poll(() => said, { timeout: 10_000 }).toBe('listening\n')

  const told = randomUUID()
  await scene.happen(told)
  await expect.poll(() => said).toBe(`listening\ncomment.created ${told}\n`)
  await expect.poll(() => scene.store.deliveries.countWaiting(id)).toBe(0)
  const [delivery] = scene.store.deliveries.list(id, { limit: 1, offset: 0 })
  scene.store.deliveries.sendAgain(delivery!)
  scene.dispatcher.soon()
  await expect.poll(() => scene.store.deliveries.find(id, delivery!.id)!.attempts).toBe(2)
  expect(said.match(/comment/g)).toHaveLength(1)

  const another = scene.webhook(url)
  scene.store.deliveries.add(another.id, null)
  scene.dispatcher.soon()
  await expect
    .poll(() => scene.store.deliveries.list(another.id, { limit: 1, offset: 0 })[0])
    .toMatchObject({ status: 'failed', response: 401 })
})
