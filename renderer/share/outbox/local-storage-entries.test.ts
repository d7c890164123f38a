import { expect, it, vi } from 'vitest'
import type { NewEntry } from './entry.ts'
import { localStorageEntries } from './local-storage-entries.ts'

it('what two tabs add in the same millisecond stands apart, in the order in which it came', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1))
  const items = new Map<string, string>()
  const storage: Storage = {
    get length() {
      return items.size
    },
    key: (at) => [...items.keys()][at] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  }
  const says = (body: string): NewEntry => ({
    kind: 'comment',
    body: { body },
    place: null,
    key: `a-key-of-${body}`,
    token: 'token',
    documentId: 'document',
    writtenAt: 0,
  })
  const [one, other] = [localStorageEntries(storage), localStorageEntries(storage)]
  await one.add(says('first'))
  await other.add(says('second'))
  await one.add(says('third'))
  expect((await one.list('token')).map(({ key }) => key)).toEqual([
    'a-key-of-first',
    'a-key-of-second',
    'a-key-of-third',
  ])
})
