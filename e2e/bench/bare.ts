/**
 * What the benchmark compares Galley with: the same work on Fastify and better-sqlite3 with the same durability, and
 * nothing else, with answers of the same fields and sizes. No access control, no validation; a text that is replaced is kept only where a write asks for that.
 * Run as `node bare.ts FILE`; prints its port.
 */
import Database from 'better-sqlite3'
import Fastify from 'fastify'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'

const db = new Database(process.argv[2])
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')
db.exec(`
  CREATE TABLE IF NOT EXISTS documents (number INTEGER PRIMARY KEY, id TEXT UNIQUE, owner_id TEXT, title TEXT, revision INTEGER, created_at TEXT, updated_at TEXT, content TEXT);
  CREATE INDEX IF NOT EXISTS by_update ON documents (updated_at DESC, id);
  CREATE TABLE IF NOT EXISTS versions (number INTEGER PRIMARY KEY, document TEXT, created_at TEXT, content TEXT);
  CREATE INDEX IF NOT EXISTS by_document ON versions (document, created_at);
  CREATE TABLE IF NOT EXISTS pages (token TEXT PRIMARY KEY, document TEXT, html TEXT);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, content, content = '', contentless_delete = 1);
`)
const insert = db.prepare(
  'INSERT INTO documents (id, owner_id, title, revision, created_at, updated_at, content) VALUES (?, ?, ?, 1, ?, ?, ?)',
)
const index = db.prepare('INSERT INTO words (rowid, title, content) VALUES (?, ?, ?)')
const page = db.prepare('INSERT OR REPLACE INTO pages VALUES (?, ?, ?)')
const columns = 'd.id, d.owner_id, d.title, d.content, d.revision, d.created_at, d.updated_at'
const byId = db.prepare(`SELECT ${columns} FROM documents d WHERE id = ?`)
const linked = db.prepare(
  `SELECT ${columns}, 'comment' AS permission FROM pages p JOIN documents d ON d.id = p.document WHERE token = ?`,
)
const byToken = db.prepare('SELECT html FROM pages WHERE token = ?')
const list = db.prepare(
  'SELECT id, title, created_at, updated_at FROM documents ORDER BY updated_at DESC, id LIMIT ? OFFSET ?',
)
const search = db.prepare(
  'SELECT d.id, d.title, d.created_at, d.updated_at, substr(d.content, 1, 160) AS snippet FROM words w JOIN documents d ON d.number = w.rowid WHERE words MATCH ? ORDER BY w.rank LIMIT 50',
)
const update = db.prepare(
  'UPDATE documents SET content = ?, updated_at = ?, revision = revision + 1 WHERE id = ?',
)
const now = () => new Date().toISOString()
const owner = randomUUID()
const keep = db.prepare(
  'INSERT INTO versions (document, created_at, content) SELECT id, updated_at, content FROM documents WHERE id = ?',
)
const updateAndKeep = db.transaction((id: string, content: string) => {
  keep.run(id)
  update.run(content, now(), id)
})

const app = Fastify({ bodyLimit: 100 * 1024 * 1024 })
interface Seed {
  id: string
  title: string
  content: string
}
app.post<{ Body: { documents: Seed[]; page: { token: string; id: string; html: string } | null } }>(
  '/seed',
  ({ body }) => {
    db.transaction(() => {
      for (const one of body.documents) {
        const { lastInsertRowid } = insert.run(one.id, owner, one.title, now(), now(), one.content)
        index.run(lastInsertRowid, one.title, one.content)
      }
      if (body.page) page.run(body.page.token, body.page.id, body.page.html)
    })()
    return { ok: true }
  },
)
app.get<{ Params: { id: string } }>('/documents/:id', ({ params }) => ({
  data: byId.get(params.id),
  error: null,
}))
app.get<{ Params: { token: string } }>('/linked/:token', ({ params }) => ({
  data: linked.get(params.token),
  error: null,
}))
app.get<{ Params: { token: string } }>('/share/:token', ({ params }, reply) =>
  reply.type('text/html; charset=utf-8').send((byToken.get(params.token) as { html: string }).html),
)
app.get('/documents', () => ({ data: list.all(50, 0), error: null }))
app.get<{ Querystring: { q: string } }>('/search', ({ query }) => ({
  data: search.all(`"${query.q}" *`),
  error: null,
}))
app.patch<{ Params: { id: string }; Body: { content: string } }>('/documents/:id', ({ params, body }) => {
  update.run(body.content, now(), params.id)
  return { data: byId.get(params.id), error: null }
})
app.patch<{ Params: { id: string }; Body: { content: string } }>(
  '/kept-documents/:id',
  ({ params, body }) => {
    updateAndKeep(params.id, body.content)
    return { data: byId.get(params.id), error: null }
  },
)
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
