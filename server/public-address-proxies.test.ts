import { describe, expect, test } from 'vitest'
import { testFolder } from './store/testing/store.ts'
import { exhaust, expectLive, guess, opened, shared, start } from './testing/tunnelled-galley.ts'
import { proxies, proxyMissing, startProxy } from './testing/proxies.ts'

const headings = { caddy: '## Caddy', nginx: '## nginx' }

describe.each(proxies)('the example for %s', (name) => {
  const missing = proxyMissing(name)
  if (missing) console.warn(`Skipped: ${missing} So its example isn’t tried.`)

  test.skipIf(missing)(
    'brings links to people elsewhere, large texts back, and news, and tells visitors apart',
    async () => {
      const at = await start(testFolder())
      const address = await startProxy(name, headings[name], at.sharePort)
      await at.call('PATCH', '/api/tunnel', { on: true, url: { public_address: address } })
      await at.reaches('online')

      const link = `${address}${await shared(at, 'edit')}`
      expect(await (await fetch(link)).text()).toContain('Read me.')
      // Each character takes six in JSON; a proxy left as it comes refuses far less.
      const content = `${'\u0001'.repeat(32 * 1024 - 1)}\n`.repeat(32)
      const saved = await fetch(link, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content }),
      })
      expect(saved.status).toBe(200)
      await expectLive(at, address)

      const [one, another] = [{ localAddress: '127.0.0.5' }, { localAddress: '127.0.0.6' }]
      expect(await exhaust(address, '203.0.113.1', one)).toBe(429)
      expect(await guess(address, '203.0.113.2', one)).toBe(429)
      expect(await guess(address, '127.0.0.5', another)).toBe(404)

      const session = at.galley.createSession()
      const headers = { cookie: `${session.name}=${session.value}` }
      expect((await fetch(`${address}/api/documents`, { headers })).status).toBe(404)
      await at.call('PATCH', '/api/tunnel', { on: false })
      expect(await opened(link)).toBe(403)
    },
  )
})
