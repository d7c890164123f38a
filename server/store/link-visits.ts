import { day, hour } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'

/** That a link was opened: once for what one browser does within a while. */
export interface LinkVisitRow {
  id: string
  link: string
  opened_at: number
  /** 1 where a program fetched the page rather than a person. */
  preview: 0 | 1
  /** A code: `domain/device.ts` names it. */
  device: string | null
  name: string | null
  /** When somebody last read the text to its end. */
  read_at: number | null
}

export interface VisitedLink {
  link: string
  document: { id: string; owner_id: string; revision: number }
}

const lifetime = limits.linkVisitDays * day
const columns = 'id, link, opened_at, preview, device, name, read_at'

/** When share links were opened. They go with their link, after 90 days, and before that once there are too many. */
export function linkVisitStore(db: Db, now: () => number) {
  const ofDocument = db.prepare<[number, number], LinkVisitRow>(
    `SELECT o.${columns.replaceAll(', ', ', o.')} FROM link_visits o JOIN share_links l ON l.id = o.link
     WHERE l.document = ? AND l.revoked_at IS NULL AND o.opened_at > ? ORDER BY o.opened_at DESC, o.rowid DESC`,
  )
  const documentOf = db.prepare<[string], VisitedLink['document']>(
    'SELECT d.id, d.owner_id, d.revision FROM share_links l JOIN documents d ON d.number = l.document WHERE l.id = ?',
  )
  const put = db.prepare<[LinkVisitRow]>(
    `INSERT INTO link_visits (${columns}) SELECT @id, @link, @opened_at, @preview, @device, @name, @read_at
     WHERE EXISTS (SELECT 1 FROM share_links WHERE id = @link)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, read_at = excluded.read_at`,
  )
  // Whoever has a link can open it ever so often. So that they can't push out when others did, the crowded times lose:
  // each day keeps its share, of which each hour has its own, and of either the first and the last go last.
  const shorten = db.prepare<{ link: string; most: number }>(
    `WITH in_hour AS (
       SELECT id, opened_at, min(
         row_number() OVER (PARTITION BY opened_at / ${hour} ORDER BY opened_at, rowid),
         row_number() OVER (PARTITION BY opened_at / ${hour} ORDER BY opened_at DESC, rowid DESC)
       ) AS turn FROM link_visits WHERE link = @link
     ), in_day AS (
       SELECT id, opened_at, min(
         row_number() OVER (PARTITION BY opened_at / ${day} ORDER BY turn, opened_at),
         row_number() OVER (PARTITION BY opened_at / ${day} ORDER BY turn, opened_at DESC)
       ) AS turn FROM in_hour
     )
     DELETE FROM link_visits WHERE link = @link AND id NOT IN
     (SELECT id FROM in_day ORDER BY turn, opened_at DESC LIMIT @most)`,
  )
  const sweep = db.prepare('DELETE FROM link_visits WHERE opened_at <= ?')

  return {
    /** The newest first. */
    list: (document: number) => ofDocument.all(document, now() - lifetime),
    /**
     * Keeps new visits, and the names of those it has; what is of a link that is gone is left out. Inside a
     * transaction. The links that are concerned, and their documents.
     */
    keep(visits: readonly LinkVisitRow[]): VisitedLink[] {
      const links = new Set<string>()
      for (const visit of visits) if (put.run(visit).changes > 0) links.add(visit.link)
      for (const link of links) shorten.run({ link, most: limits.linkVisits })
      return [...links].map((link) => ({ link, document: documentOf.get(link)! }))
    },
    /** Lets go of what is too old. */
    sweep: () => void sweep.run(now() - lifetime),
  }
}
