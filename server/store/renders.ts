import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'

export interface RenderRow {
  revision: number
  /** JSON of everything the renderer answered but the HTML. */
  facts: string
  html: string
}

/** A text of a document, by what tells it from all others. */
interface RenderedText {
  number: number
  revision: number
  hash: number
}

/** Rendered pages that wait to be written, in UTF-16 units. */
const mostWaiting = 16 * 1024 * 1024

/** The rendered page of each document's newest rendered revision. `renderer` names the renderer's version: another's pages are not used. */
export function renderStore(db: Db, renderer: string, deferred: DeferredWrites) {
  const one = db.prepare<[number, number, string], RenderRow>(
    'SELECT revision, facts, html FROM renders WHERE document = ? AND revision = ? AND renderer = ?',
  )
  const put = db.prepare(
    `INSERT INTO renders (document, revision, renderer, facts, html) SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM documents WHERE number = ? AND hash = ?)
     ON CONFLICT (document) DO UPDATE SET revision = excluded.revision, renderer = excluded.renderer, facts = excluded.facts, html = excluded.html
     WHERE excluded.revision >= renders.revision OR excluded.renderer <> renders.renderer`,
  )
  const waiting = deferred.addValues<RenderRow & RenderedText>(
    'rendered pages',
    (_key, { number, hash, revision, facts, html }) =>
      void put.run(number, revision, renderer, facts, html, number, hash),
    { most: mostWaiting, weigh: ({ html, facts }) => html.length + facts.length, delay: 100 },
  )
  return {
    find({ number, revision, hash }: RenderedText): RenderRow | undefined {
      const unwritten = waiting.find(String(number))
      if (unwritten?.revision === revision && unwritten.hash === hash) return unwritten
      return one.get(number, revision, renderer)
    },
    /** Keeps the page of a document's text, which is written later; not if the text is gone or another one by then. */
    put(text: RenderedText, row: Omit<RenderRow, 'revision'>) {
      const unwritten = waiting.find(String(text.number))
      if (unwritten && unwritten.revision > text.revision) return
      const { number, revision, hash } = text
      waiting.put(String(number), { number, revision, hash, facts: row.facts, html: row.html })
    },
  }
}
