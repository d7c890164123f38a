import { hash, randomBytes, randomUUID } from 'node:crypto'
import { day, minute } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import { shownName } from '../domain/shown-name.ts'
import { readUserAgent } from '../domain/device.ts'
import type { LinkVisitRow } from '../store/link-visits.ts'
import { isGuest, type Principal } from './principal.ts'
import { RecentlyUsed } from './recently-used.ts'
import { recordWithin, type Recording } from './record.ts'

/** What tells one browser from another. */
export interface Visitor {
  address: string
  /** For whom it says that it asks. */
  forwardedFor: string | string[] | undefined
  userAgent: string | undefined
}

export type VisitLog = ReturnType<typeof createVisitLog>

/** So many visits are known again; of more at one time some may be counted twice. */
const knownVisits = 10_000
const mostUnwritten = 10_000

/**
 * Keeps when share links are visited. An answer never waits for it: visits are noted in memory and written together a
 * moment later, so that a crash may lose the last of them.
 *
 * A visit is known again by a keyed digest of its address and its browser's name. The key and the digests are in
 * memory only, and both are forgotten once a day.
 */
export function createVisitLog(context: Recording, delay = 1_000) {
  const { store } = context
  let key = randomBytes(32).toString('base64')
  let visits = new RecentlyUsed<LinkVisitRow>(knownVisits, () => 1)
  const unwritten = new Set<LinkVisitRow>()
  const writing = store.deferred.add('link visits', write, { delay })
  const sweeping = store.deferred.add('old link visits', () => {
    store.linkVisits.sweep()
    return false
  })
  const tidying = setInterval(tidy, day).unref()
  tidy()

  /** Proxies say whom they ask for. Anyone can claim to be one, which gains them no more than another browser would. */
  const visitOf = ({ address, forwardedFor, userAgent }: Visitor, link: string) =>
    hash('sha256', JSON.stringify([key, link, address, forwardedFor, userAgent]), 'base64')

  function writeSoon(visit: LinkVisitRow) {
    unwritten.add(visit)
    // Where nothing can be written for long.
    if (unwritten.size > mostUnwritten) unwritten.delete(unwritten.values().next().value!)
    writing.soon()
  }

  function write(): boolean {
    const newest = newestOfEach(unwritten)
    if (newest.length === 0) return false
    for (const { link, document } of store.linkVisits.keep(newest))
      recordWithin(
        context,
        () => ({ kind: 'visitor', link: { id: link } }),
        (happened) => happened({ kind: 'link.visited', document, subject: link }),
      )
    store.afterCommit(() => unwritten.clear())
    return false
  }

  function tidy() {
    key = randomBytes(32).toString('base64')
    visits = new RecentlyUsed(knownVisits, () => 1)
    sweeping.soon()
  }

  function begin(visitor: Visitor, link: string, name: string | null) {
    const { preview, device } = readUserAgent(visitor.userAgent)
    const fresh = {
      id: randomUUID(),
      link,
      opened_at: store.now(),
      preview: preview ? 1 : 0,
      device,
      name,
      read_at: null,
    } as const
    writeSoon(visits.set(visitOf(visitor, link), fresh))
  }

  return {
    /** Somebody who isn't the link's owner got its page. */
    note(visitor: Visitor, link: string) {
      const known = visits.get(visitOf(visitor, link))
      if (!known || store.now() - known.opened_at >= limits.visitMinutes * minute) begin(visitor, link, null)
    },
    /** A visitor goes on who may have come before a time from which visits are asked for: then it is another visit. */
    goOn(visitor: Visitor, principal: Principal, since: number) {
      if (principal.kind !== 'link') return
      const known = visits.get(visitOf(visitor, principal.link.id))
      if (known && known.opened_at < since) begin(visitor, principal.link.id, known.name)
    },
    /** A guest has said in passing how they want to be called; their visit has that name from now on. */
    name(visitor: Visitor, principal: Principal, name: string | undefined) {
      if (principal.kind !== 'link' || !isGuest(principal)) return
      const said = shownName(name ?? '')
      const visit = visits.get(visitOf(visitor, principal.link.id))
      if (!visit || said === '' || visit.name === said) return
      visit.name = said
      writeSoon(visit)
    },
    /** A visitor has come to the end of the text. */
    readToEnd(visitor: Visitor, principal: Principal) {
      if (principal.kind !== 'link') return
      const visit = visits.get(visitOf(visitor, principal.link.id))
      const at = store.now()
      if (!visit || (visit.read_at !== null && at - visit.read_at < minute)) return
      visit.read_at = at
      writeSoon(visit)
    },
    /** Writes what isn't written yet. */
    write: () => writing.now(),
    close() {
      clearInterval(tidying)
      writing.now()
    },
  }
}

/** Of each link only as many as are kept at all: somebody may open one ever so often in a second. */
function newestOfEach(visits: Iterable<LinkVisitRow>): LinkVisitRow[] {
  const counts = new Map<string, number>()
  const newest = [...visits].reverse().filter(({ link }) => {
    const count = (counts.get(link) ?? 0) + 1
    counts.set(link, count)
    return count <= limits.linkVisits
  })
  return newest.reverse()
}
