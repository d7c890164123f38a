import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'
import type { Memory } from './memory.ts'

export interface UserRow {
  id: string
  name: string
  theme: 'system' | 'light' | 'dark'
  /** How long documents stay in the trash; null: until it is emptied. */
  trash_days: number | null
  /** How many gigabytes all pictures and files may take together; null: any. */
  files_gigabytes: number | null
  created_at: number
}

export function userStore(db: Db, memory: Memory, now: () => number, newId: () => string) {
  const known = memory.lookup<UserRow>(['users'])
  const byId = db.prepare<[string], UserRow>('SELECT * FROM users WHERE id = ?')
  const byName = db.prepare<[string], UserRow>(
    'SELECT * FROM users WHERE name = ? ORDER BY created_at, rowid',
  )
  const first = db.prepare<[], UserRow>('SELECT * FROM users ORDER BY created_at, rowid LIMIT 1')
  const all = db.prepare<[], UserRow>('SELECT * FROM users ORDER BY created_at, rowid')
  const insert = db.prepare(
    'INSERT INTO users (id, name, trash_days, files_gigabytes, created_at) VALUES (?, ?, ?, ?, ?)',
  )
  const update = db.prepare(
    'UPDATE users SET name = ?, theme = ?, trash_days = ?, files_gigabytes = ? WHERE id = ?',
  )

  const create = (name: string): UserRow => {
    const id = newId()
    insert.run(id, name, limits.trashDaysAtFirst, limits.filesGigabytesAtFirst, now())
    return byId.get(id)!
  }
  // Another process may make one at the same moment.
  const createOwner = db.transaction((): UserRow => first.get() ?? create('Owner'))
  return {
    find: (id: string) => known(id, () => byId.get(id)),
    listByName: (name: string) => byName.all(name),
    list: () => all.all(),
    create,
    update(id: string, fields: Partial<Pick<UserRow, 'name' | 'theme' | 'trash_days' | 'files_gigabytes'>>) {
      const user = byId.get(id)!
      const { name, theme, trash_days, files_gigabytes } = { ...user, ...fields }
      update.run(name, theme, trash_days, files_gigabytes, id)
      return byId.get(id)!
    },
    /** The machine's own user: the first one, made when there is none. */
    owner: (): UserRow => first.get() ?? createOwner.immediate(),
  }
}
