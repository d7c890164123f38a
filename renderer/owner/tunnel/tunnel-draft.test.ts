import { expect, test } from 'vitest'
import type { TunnelStatus } from '../../../server/contract/tunnel.ts'
import { TunnelDraft } from './tunnel-draft.svelte.ts'

const status = {
  provider: 'url',
  settings: { url: { public_address: 'https://a.example' }, ssh: { host: '', port: 22, user: '' } },
} as TunnelStatus

test('shows what is in use until something else is chosen or typed', () => {
  const draft = new TunnelDraft()
  expect(draft.provider(status)).toBe('url')
  expect(draft.differs(status)).toBe(false)
  draft.type('url', { public_address: ' https://a.example ' })
  expect(draft.differs(status)).toBe(false)
  draft.type('url', { public_address: 'https://b.example' })
  expect(draft.differs(status)).toBe(true)
  expect(draft.settings('url', status).public_address).toBe('https://b.example')
})

test('keeps what was typed for one way while another is looked at', () => {
  const draft = new TunnelDraft()
  draft.choose('ssh')
  draft.type('ssh', { host: 'server.example.org' })
  draft.type('ssh', { user: 'galley' })
  draft.choose('url')
  expect(draft.differs(status)).toBe(false)
  draft.choose('ssh')
  expect(draft.differs(status)).toBe(true)
  expect(draft.change(status)).toEqual({
    provider: 'ssh',
    ssh: { host: 'server.example.org', user: 'galley' },
  })
  draft.taken('ssh')
  expect(draft.provider(status)).toBe('url')
  expect(draft.settings('ssh', status).host).toBe('')
})
