import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

const change = (json: unknown, as: TestCredentials = galley.as.owner) =>
  galley.call('PATCH', '/api/tunnel', { as, json })

it('is off until it is set up and switched on', async () => {
  expect((await galley.call('GET', '/api/tunnel', { as: galley.as.owner })).data).toEqual({
    state: 'off',
    provider: 'url',
    settings: {
      url: { public_address: '' },
      ssh: {
        host: '',
        port: 22,
        user: '',
        host_key: null,
        bind_address: '127.0.0.1',
        bind_port: 4781,
        behind_proxy: true,
        public_address: '',
      },
      cloudflared: { named: false, public_address: '', program: '' },
      ngrok: { domain: '' },
    },
    secrets: [],
    ssh_public_key: null,
    public_address: null,
    share_url: 'http://127.0.0.1:4781',
    share_port: 4781,
    since: null,
    retry_at: null,
    reason: null,
    message: null,
    to_confirm: null,
  })
})

it('refuses to be switched on without an address, and says what is missing', async () => {
  const answer = await change({ on: true })
  expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  expect(answer.text).toContain('at which address')
  expect((await galley.call('GET', '/api/tunnel', { as: galley.as.owner })).data.state).toBe('off')
})

it('refuses what is no address and keeps the one before', async () => {
  await change({ url: { public_address: 'galley.example.org' } })
  const answer = await change({ url: { public_address: 'https://galley.example.org/path' } })
  expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  expect((await galley.call('GET', '/api/tunnel', { as: galley.as.owner })).data.public_address).toBe(
    'https://galley.example.org',
  )
})

it('is the machine’s own user’s to change; others may see it', async () => {
  const answer = await change({ url: { public_address: 'galley.example.org' } }, galley.as.stranger)
  expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect((await galley.call('GET', '/api/tunnel', { as: galley.as.stranger })).status).toBe(200)
})

it('starts no program that a request names, whoever makes it', async () => {
  for (const as of [galley.as.owner, galley.as.session])
    for (const program of ['/tmp/mine', '', null])
      expect(await change({ cloudflared: { program } }, as)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  const { data } = await galley.call('GET', '/api/tunnel', { as: galley.as.owner })
  expect(data.settings.cloudflared.program).toBe('')
})
