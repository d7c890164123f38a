import { expect, test } from 'vitest'
import type { TunnelStatus } from '../../../server/contract/tunnel.ts'
import { statusMessage } from './status-message.ts'

const reconnecting = (message: string | null) =>
  statusMessage({ state: 'reconnecting', message } as TunnelStatus).detail

test('what is the matter is a sentence of its own before the next, however others ended theirs', () => {
  expect(reconnecting('It says: no answer')).toBe('It says: no answer. Galley keeps trying by itself.')
  expect(reconnecting('Is this machine online?')).toBe(
    'Is this machine online? Galley keeps trying by itself.',
  )
  expect(reconnecting(null)).toBe('Galley keeps trying by itself.')
})
