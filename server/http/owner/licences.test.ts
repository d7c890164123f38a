import { expect, test } from 'vitest'
import { createTestGalley } from '../../testing/galley.ts'

test('a list that wasn’t built is a plain “not found”, and only the owner’s listener knows of it', async () => {
  const galley = await createTestGalley()
  const missing = await galley.call('GET', '/licences.json')
  expect(missing.status).toBe(404)
  expect(missing.text).toContain('NOT_FOUND')
  const elsewhere = await galley.call('GET', '/licences.json', { on: 'share' })
  expect(elsewhere.status).toBe(404)
  await galley.close()
})
