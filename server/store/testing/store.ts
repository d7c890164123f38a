import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Author } from '../author.ts'
import { openStore, type StoreOptions } from '../store.ts'

/** A folder of its own for one test. */
export function testFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store with its owner, an author, and a clock that stands still until it is moved. */
export function testStore(options: Partial<StoreOptions> = {}) {
  const clock = { at: Date.UTC(2026, 0, 2, 3, 4, 5) }
  const store = openStore({ file: ':memory:', now: () => clock.at, ...options })
  onTestFinished(() => void (store.db.open && store.close()))
  const owner = store.users.owner()
  const author: Author = { id: owner.id, name: owner.name, key: 'session:1' }
  const get = (id: string) => store.documents.find(id)!
  return {
    store,
    clock,
    owner,
    author,
    get,
    textAt: (id: string, revision: number) => store.documents.textAt(get(id), revision),
    create: (content: string, title = 'Untitled') =>
      store.transaction(() => store.documents.create(owner.id, { title, content }, author)),
    edit: (id: string, content: string, more: { by?: Author; informed?: boolean; title?: string } = {}) =>
      store.transaction(() =>
        store.documents.change(get(id), {
          content,
          kind: 'edit',
          author: more.by ?? author,
          informed: more.informed ?? true,
          ...(more.title === undefined ? {} : { title: more.title }),
        }),
      ),
  }
}

/** What another process has written is seen from the next turn of the event loop on. */
export const nextTurn = () =>
  // The first may still run in this one, as a timer may.
  new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
