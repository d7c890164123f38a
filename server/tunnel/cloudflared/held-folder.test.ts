import type * as promises from 'node:fs/promises'
import type { RmOptions } from 'node:fs'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { testFolder } from '../../store/testing/store.ts'
import { createTunnel } from '../tunnel.ts'
import { cloudflared } from './cloudflared.ts'
import { createTestCloudflared, type TestSettings } from './testing/cloudflared.ts'

const refused = vi.hoisted(() => new Map<string, RmOptions | undefined>())

// As on Windows, where a virus scanner, or the program that has just ended, holds a file.
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof promises>()),
  rm(where: string, options?: RmOptions) {
    refused.set(where, options)
    return Promise.reject(Object.assign(new Error('EBUSY: resource busy or locked, rm'), { code: 'EBUSY' }))
  },
}))

beforeEach(() => {
  refused.clear()
  return () => {
    for (const where of refused.keys()) rmSync(where, { recursive: true, force: true })
  }
})

async function setUp(settings?: Partial<TestSettings>) {
  const fake = await createTestCloudflared(testFolder(), settings)
  const provider = cloudflared({
    program: () => Promise.resolve({ file: fake.file, version: '2026.10.0', origin: 'chosen' }),
    named: { address: fake.address, token: () => Promise.resolve('token') },
  })
  return { fake, provider }
}

test('a folder that can’t be removed stops nothing, and is tried again', async () => {
  const { fake, provider } = await setUp()
  const states: string[] = []
  const tunnel = createTunnel({
    provider,
    port: 1,
    probe: () => Promise.resolve({ namesClients: false }),
    onAddress: () => undefined,
    onState: ({ state }) => void states.push(state),
  })
  onTestFinished(() => tunnel.stop())
  tunnel.start()
  const isOnline = () => vi.waitFor(() => expect(tunnel.state.state).toBe('online'), { timeout: 20_000 })
  await isOnline()
  process.kill(fake.runs().at(-1)!.pid, 'SIGKILL')
  await vi.waitFor(() => expect(tunnel.state.state).toBe('reconnecting'))
  await isOnline()
  await tunnel.stop()
  expect(states).toEqual(['starting', 'online', 'reconnecting', 'reconnecting', 'online', 'off'])
  expect(new Set([...refused.keys()].map((where) => path.basename(where)))).toContain('token')
  for (const options of refused.values()) expect(options!.maxRetries).toBeGreaterThan(0)
})

test('why it can’t be opened is told, not that its folder can’t be removed', async () => {
  const { provider } = await setUp({ mode: 'bad token' })
  await expect(provider.open(1, AbortSignal.timeout(20_000))).rejects.toMatchObject({
    reason: 'sign-in rejected',
  })
})
