import type { Db } from './database.ts'
import type { Memory } from './memory.ts'

/** From which origins pages may ask with a key. */
export function allowedOriginStore(db: Db, memory: Memory) {
  const known = memory.lookup<{ origins: ReadonlySet<string> }>(['allowed_origins'])
  const all = db
    .prepare<[string], string>('SELECT origin FROM allowed_origins WHERE user_id = ? ORDER BY origin')
    .pluck()
  const any = db.prepare<[], string>('SELECT DISTINCT origin FROM allowed_origins').pluck()
  const clear = db.prepare('DELETE FROM allowed_origins WHERE user_id = ?')
  const insert = db.prepare('INSERT INTO allowed_origins (user_id, origin) VALUES (?, ?)')

  return {
    list: (userId: string) => all.all(userId),
    allows: (origin: string) => known('', () => ({ origins: new Set(any.all()) }))!.origins.has(origin),
    replace(userId: string, origins: readonly string[]) {
      clear.run(userId)
      for (const origin of new Set(origins)) insert.run(userId, origin)
    },
  }
}
