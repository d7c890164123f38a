import type Database from 'better-sqlite3'

/** A parameter, or what may hold something that looks like one: strings, names and comments. */
const parameters = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?|@\w+/g

/**
 * Has every statement planned once. This build of SQLite (`SQLITE_ENABLE_STAT4`, without `SQLITE_ENABLE_QPSG`) plans a
 * statement anew each time that it is run, where its planner has compared a parameter with something: in nearly all that
 * sort or join. That takes ten times as long as most of them do. With a `+` in front, which changes no value, a parameter
 * is nothing that it could compare.
 */
export function keepPlans(db: Database.Database): void {
  const prepare = db.prepare.bind(db) as (sql: string) => unknown
  db.prepare = ((sql: string) =>
    prepare(
      sql.replace(parameters, (found) => (/^[?@]/.test(found) ? `+${found}` : found)),
    )) as typeof db.prepare
}
