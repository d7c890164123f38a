import type { Store } from '../store/store.ts'
import { told } from '../store/differing-rows.ts'

/** Kept texts and pages are made of logs by themselves: only those that a log rests on are told of, and nobody packs these. */
const isTold: Partial<Record<string, { INSERT: string; UPDATE: string; DELETE: string }>> = {
  keyframes: {
    INSERT: 'new.needed = 1',
    UPDATE: "typeof(old.content) = 'blob' OR typeof(new.content) = 'text'",
    DELETE: 'old.needed = 1',
  },
  renders: { INSERT: 'FALSE', UPDATE: 'FALSE', DELETE: 'FALSE' },
}

/**
 * Watches each of a store's transactions for what a restore rests on: that none writes a row which only its document
 * tells of without changing that document's row, or saying what happened to it.
 * @returns what was written otherwise, so far
 */
export function watchToldWrites({ db, afterCommit }: Store): string[] {
  const untold: string[] = []
  let wrote: { table: string; document: number }[] = []
  let tellers = new Set<number>()
  function judge() {
    untold.push(
      ...wrote
        .filter(({ document }) => !tellers.has(document))
        .map(({ table, document }) => `${table} of document ${document}`),
    )
    wrote = []
    tellers = new Set()
  }
  db.function('saw_write', (table, document) => {
    // What a test writes by hand is no transaction.
    if (!db.inTransaction) return
    wrote.push({ table: String(table), document: Number(document) })
    afterCommit(judge)
  })
  db.function('saw_teller', (document) => {
    if (!db.inTransaction) return
    tellers.add(Number(document))
    afterCommit(judge)
  })
  const row = { INSERT: 'new', UPDATE: 'new', DELETE: 'old' } as const
  for (const kind of ['INSERT', 'UPDATE', 'DELETE'] as const) {
    for (const table of told)
      db.exec(
        `CREATE TEMP TRIGGER told_${kind}_${table} AFTER ${kind} ON main.${table}
           WHEN ${isTold[table]?.[kind] ?? 'TRUE'} BEGIN SELECT saw_write('${table}', ${row[kind]}.document); END`,
      )
    db.exec(
      `CREATE TEMP TRIGGER told_${kind}_documents AFTER ${kind} ON main.documents
         BEGIN SELECT saw_teller(${row[kind]}.number); END`,
    )
  }
  db.exec(
    `CREATE TEMP TRIGGER told_events AFTER INSERT ON main.events
       BEGIN SELECT saw_teller(number) FROM documents WHERE unhex(replace(id, '-', '')) = new.document_id; END`,
  )
  return untold
}
