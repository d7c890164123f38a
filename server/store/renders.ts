import type { Db } from './database.ts'

export interface RenderRow {
  revision: number
  /** JSON of everything the renderer answered but the HTML. */
  facts: string
  html: string
}

/** The rendered page of each document's newest rendered revision. `renderer` names the renderer's version: another's pages are not used. */
export function renderStore(db: Db, renderer: string) {
  const one = db.prepare<[number, number, string], RenderRow>(
    'SELECT revision, facts, html FROM renders WHERE document = ? AND revision = ? AND renderer = ?',
  )
  const put = db.prepare(
    `INSERT INTO renders (document, revision, renderer, facts, html) SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM documents WHERE number = ? AND hash = ?)
     ON CONFLICT (document) DO UPDATE SET revision = excluded.revision, renderer = excluded.renderer, facts = excluded.facts, html = excluded.html
     WHERE excluded.revision >= renders.revision OR excluded.renderer <> renders.renderer`,
  )
  return {
    find: (document: number, revision: number) => one.get(document, revision, renderer),
    /** Keeps the page of a document's text; does nothing if that is gone or another one by now. */
    put: (document: { number: number; hash: number }, row: RenderRow) =>
      void put.run(
        document.number,
        row.revision,
        renderer,
        row.facts,
        row.html,
        document.number,
        document.hash,
      ),
  }
}
