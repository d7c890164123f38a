import type Database from 'better-sqlite3'

/**
 * The colour of each person who wrote or said something in a document, its owner aside, who has the first. `hidden` says
 * that other recipients weren't told of them. Whose accepted suggestions were is noted with the version, too.
 */
export default function colours(db: Database.Database): void {
  db.exec(`
    CREATE TABLE colours (
      document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
      person TEXT NOT NULL,
      colour INTEGER NOT NULL,
      hidden INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (document, person)
    ) STRICT, WITHOUT ROWID;
  `)
  nameSuggesters(db)
  const people = db
    .prepare<[], { document: number; person: string; hidden: 0 | 1 }>(
      `SELECT document, ${person} AS person, min(hidden) AS hidden FROM (
         SELECT document, author_id, author_key, author_name, key_kind, created_at AS at, 0 AS hidden FROM comments
         UNION ALL SELECT document, author_id, author_key, author_name, key_kind, created_at, 0 FROM suggestions
         UNION ALL SELECT v.document, v.author_id, v.author_key, v.author_name, v.key_kind, v.started_at, coalesce(c.hidden, 0)
           FROM versions v LEFT JOIN changes c ON c.document = v.document AND c.revision = v.revision
       ) JOIN documents d ON d.number = document
       WHERE ${person} IS NOT NULL AND ${person} <> 'user ' || owner_id
       GROUP BY document, person ORDER BY document, min(at), person`,
    )
    .all()
  const insert = db.prepare('INSERT INTO colours (document, person, colour, hidden) VALUES (?, ?, ?, ?)')
  let used: { document: number; colour: number }[] = []
  for (const { document, person: name, hidden } of people) {
    if (used[0]?.document !== document) used = []
    const counts = [1, 2, 3, 4, 5, 6, 7].map((colour) => used.filter((one) => one.colour === colour).length)
    const least = Math.min(...counts)
    const free = counts.flatMap((count, at) => (count === least ? [at + 1] : []))
    const colour = free[Math.floor(Math.random() * free.length)]!
    insert.run(document, name, colour, hidden)
    used.push({ document, colour })
  }
}

const person = `CASE
  WHEN author_key GLOB 'key:*' OR author_key GLOB 'guest:*' THEN author_key
  WHEN author_id IS NULL THEN iif(author_key = 'import', 'import ' || coalesce(key_kind, '') || ' ' || author_name, NULL)
  WHEN key_kind = 'agent' THEN author_key || ' ' || author_id
  ELSE 'user ' || author_id END`

/** Of a version that took suggestions in only names were noted. */
function nameSuggesters(db: Database.Database): void {
  const versions = db
    .prepare<[], { document: number; revision: number; suggested_by: string }>(
      'SELECT document, revision, suggested_by FROM versions WHERE suggested_by IS NOT NULL',
    )
    .all()
  const made = db.prepare<[number, number], { name: string; key_name: string | null; person: string | null }>(
    `SELECT author_name AS name, key_name, ${person} AS person FROM suggestions
     WHERE document = ? AND decided_revision = ? AND status = 'accepted'`,
  )
  const write = db.prepare('UPDATE versions SET suggested_by = ? WHERE document = ? AND revision = ?')
  for (const { document, revision, suggested_by } of versions) {
    const suggesters = JSON.parse(suggested_by) as ({ name: string; keyName?: string } | string)[]
    const by = made.all(document, revision)
    const named = suggesters.map((one) => {
      if (typeof one === 'string') return one
      const theirs = by.filter(
        ({ name, key_name }) => name === one.name && key_name === (one.keyName ?? null),
      )
      const people = [...new Set(theirs.map((made) => made.person))]
      // Of two of one name nothing tells which it was.
      const [person] = people
      const isKnown = people.length === 1 && person !== null && !person!.startsWith('import ')
      return isKnown ? { ...one, person } : one
    })
    write.run(JSON.stringify(named), document, revision)
  }
}
