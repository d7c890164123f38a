import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { testFolder, testStore } from './testing/store.ts'

test('the files of the database hold no key, ticket or session, also after they were used and deleted', () => {
  const folder = testFolder()
  const at = testStore({ file: path.join(folder, 'galley.db') })
  const { key, row } = at.store.apiKeys.create(at.owner.id, { name: 'CI', access: 'full', expiresAt: null })
  at.store.apiKeys.findValid(key)
  const ticket = at.store.signInLinks.createTicket(at.owner.id)
  const unused = at.store.signInLinks.createTicket(at.owner.id)
  const { secret } = at.store.sessions.exchange(ticket)!
  at.store.sessions.findValid(secret)
  const files = () =>
    Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name)))).toString('latin1')
  const expectAbsent = () => {
    const bytes = files()
    for (const text of [key, key.slice(6), ticket, unused, secret]) {
      expect(bytes.includes(text)).toBe(false)
      expect(bytes.includes(Buffer.from(text.slice(-32), 'hex').toString('latin1'))).toBe(false)
    }
    // The control: what is stored can be seen this way.
    expect(bytes.includes('Owner')).toBe(true)
    return bytes
  }
  expect(expectAbsent().includes(row.prefix)).toBe(true)
  at.store.apiKeys.delete(row.id, at.owner.id)
  at.store.close()
  expectAbsent()
})
