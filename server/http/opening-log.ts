import type { FastifyRequest } from 'fastify'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { DocumentEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import { guestName } from '../domain/guest-name.ts'
import { readUserAgent } from '../domain/user-agent.ts'
import type { LinkOpeningRow } from '../store/link-openings.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { RecentlyUsed } from './recently-used.ts'
import type { Arrived } from './remote-address.ts'

export interface OpeningLogOptions {
  store: Store
  publish: (event: DocumentEvent) => void
  /** Where a request came from, as far as that is known. */
  addressOf: (arrived: Arrived) => string
  /** How long after an opening it is written, in ms. */
  delay?: number
}

type Visiting = Pick<FastifyRequest, 'headers' | 'method' | 'raw'>

export type OpeningLog = ReturnType<typeof createOpeningLog>

/** What one browser opens again within this time is the same visit. */
const oneVisit = 30 * 60_000
/** So many visits are known again; of more at one time some may be counted twice. */
const knownVisits = 10_000
const mostUnwritten = 10_000
const day = 24 * 60 * 60_000

/**
 * Keeps when share links are opened. An answer never waits for it: openings are noted in memory and written together
 * a moment later, so that a crash may lose the last of them.
 *
 * A visit is known again by a keyed digest of its address and its browser's name. The key and the digests are in
 * memory only, and both are forgotten once a day.
 */
export function createOpeningLog(options: OpeningLogOptions) {
  const { store, publish, addressOf, delay = 1_000 } = options
  let key = randomBytes(32)
  let visits = new RecentlyUsed<LinkOpeningRow>(knownVisits, () => 1)
  const unwritten = new Set<LinkOpeningRow>()
  const writing = store.deferred.add('link openings', write, { delay })
  const sweeping = store.deferred.add('old link openings', () => {
    store.linkOpenings.sweep()
    return false
  })
  const tidying = setInterval(tidy, day).unref()
  tidy()

  /** Proxies say whom they ask for. Anyone can claim to be one, which gains them no more than another browser would. */
  const visitOf = ({ headers, raw }: Visiting, link: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([link, addressOf(raw), headers['x-forwarded-for'], headers['user-agent']]))
      .digest('base64')

  function writeSoon(opening: LinkOpeningRow) {
    unwritten.add(opening)
    // Where nothing can be written for long.
    if (unwritten.size > mostUnwritten) unwritten.delete(unwritten.values().next().value!)
    writing.soon()
  }

  function write(): boolean {
    const openings = newestOfEach(unwritten)
    if (openings.length === 0) return false
    const documents = store.linkOpenings.keep(openings)
    store.afterCommit(() => unwritten.clear())
    for (const documentId of documents) publish({ documentId, what: 'openings' })
    return false
  }

  function tidy() {
    key = randomBytes(32)
    visits = new RecentlyUsed(knownVisits, () => 1)
    sweeping.soon()
  }

  return {
    /** Somebody who isn't the link's owner got its page. */
    note(request: Visiting, link: string) {
      if (!looksOpened(request)) return
      const visit = visitOf(request, link)
      const at = store.now()
      const known = visits.get(visit)
      if (known && at - known.opened_at < oneVisit) return
      const { preview, device } = readUserAgent(request.headers['user-agent'])
      const opening = {
        id: randomUUID(),
        link,
        opened_at: at,
        preview: preview ? 1 : 0,
        device,
        name: null,
      } as const
      writeSoon(visits.set(visit, opening))
    },
    /** A guest has said in passing how they want to be called; their visit has that name from now on. */
    name(request: Visiting, caller: Caller, name: string | undefined) {
      if (caller.kind !== 'link' || caller.account) return
      const said = guestName(name ?? '')
      const visit = visits.get(visitOf(request, caller.link.id))
      if (!visit || said === '' || visit.name === said) return
      visit.name = said
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
function newestOfEach(openings: Iterable<LinkOpeningRow>): LinkOpeningRow[] {
  const counts = new Map<string, number>()
  const newest = [...openings].reverse().filter(({ link }) => {
    const count = (counts.get(link) ?? 0) + 1
    counts.set(link, count)
    return count <= limits.linkOpenings
  })
  return newest.reverse()
}

/**
 * Whether a page is about to be looked at: it isn't where only its head is asked for, where a script or the page's
 * worker asks to keep it, or where a browser fetches it in case somebody will want it.
 */
function looksOpened({ method, headers }: Visiting): boolean {
  if (method !== 'GET') return false
  // What a page's worker hands on for a reader has no destination either, but is still a navigation.
  if (headers['sec-fetch-dest'] === 'empty' && headers['sec-fetch-mode'] !== 'navigate') return false
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => String(headers[name] ?? ''))
  return !purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))
}
