import { expect, it } from 'vitest'
import type { Webhook } from '../../../server/contract/records/webhooks.ts'
import type { ApiClient } from '../../api/client.ts'
import { Webhooks } from './webhooks.svelte.ts'

const [one, other] = ['a', 'b'].map((id) => ({ id, active: id === 'a' }) as Webhook) as [Webhook, Webhook]

async function scene() {
  const sent: string[] = []
  const api = {
    call: (name: string, { params, keepalive }: { params?: { id: string }; keepalive?: boolean } = {}) => {
      if (name !== 'listWebhooks') sent.push(`${name} ${params!.id}${keepalive ? ' to its end' : ''}`)
      return Promise.resolve(name === 'listWebhooks' ? [one, other] : { ...one, active: false })
    },
  } as unknown as ApiClient
  const webhooks = new Webhooks(api)
  await webhooks.load()
  return { webhooks, sent }
}

it('removes what was put away at once when the page goes, and nothing twice', async () => {
  const { webhooks, sent } = await scene()
  // The page may go before the first answer.
  const away = webhooks.putAway(one)
  const gone = webhooks.removeLeaving()
  expect(sent).toEqual(['updateWebhook a', 'deleteWebhook a to its end'])
  await Promise.all([away, gone])
  expect(webhooks.list).toEqual([other])
  await webhooks.remove(one)
  expect(sent).toHaveLength(2)
})

it('keeps what was brought back', async () => {
  const { webhooks, sent } = await scene()
  await webhooks.putAway(other)
  await webhooks.bringBack(other)
  await webhooks.removeLeaving()
  expect(sent).toEqual([])
  expect(webhooks.list).toEqual([one, other])
})
