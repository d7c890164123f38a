import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import type { LiveChange, LiveMessage, LiveNews } from '../contract/live.ts'
import { accessOf, may } from '../domain/access.ts'
import type { Feed } from './feed.ts'
import { isHiddenFrom, isRemoval } from './hidden-words.ts'
import { placeAfter, placeOf, seqAt } from './live-place.ts'
import { isToldTo, type Principal } from './principal.ts'
import { DocumentTask, type AccountTask } from './task.ts'

/** Of more records than this nobody asks one by one. */
const mostNamed = 50
/** Of more documents than this, whoever follows had better ask for everything. */
const mostChanges = 100

/** Who missed more than this had better, too. */
const mostMissed = 1_000

/** What no link lets its holder know of. */
const ownersOnly = new Set<LiveChange['what']>(['links', 'openings', 'versions', 'deleted'])

/** What somebody who follows hears of events that come together, with how far that is. */
export function newsOf(task: DocumentTask | AccountTask, events: readonly GalleyEvent[]): LiveMessage[] {
  const news = summaryOf(task, events)
  const last = news.pop()
  if (!last) return []
  // With the last alone: whose connection breaks between two has not heard all.
  return [...news, { ...last, since: placeAfter(task, events.at(-1)!) }]
}

/** What somebody hears who comes back and says how far they had heard, or comes for the first time. */
export function missedNews(
  task: DocumentTask | AccountTask,
  feed: Pick<Feed, 'last'>,
  since: string | null,
): LiveMessage[] {
  const { events } = task.store
  const now = { since: placeOf(task, feed.last()) }
  if (since === null) return [{ type: 'told', ...now }]
  const from = seqAt(task, since)
  if (from === undefined || from > feed.last() || from < events.oldest() - 1)
    return [{ type: 'everything', ...now }]
  const missed = events.slice(from, mostMissed, { ownerId: ownerOf(task) })
  if (!missed.isLast) return [{ type: 'everything', ...now }]
  const { principal } = task
  const permission = missed.events.filter(
    ({ kind, subjectId }) =>
      principal.kind === 'link' && kind === 'link.changed' && subjectId === principal.link.id,
  )
  return [
    ...permission
      .slice(-1)
      .map(({ documentId }) => ({ type: 'changed', document_id: documentId, what: 'permission' }) as const),
    ...summaryOf(task, missed.events),
    { type: 'told', ...now },
  ]
}

const ownerOf = (task: DocumentTask | AccountTask) =>
  task instanceof DocumentTask ? task.document.owner_id : task.principal.user.id

/** Nothing that they mustn’t know or needn’t, and each part of each document once. */
function summaryOf(task: DocumentTask | AccountTask, events: readonly GalleyEvent[]): LiveNews[] {
  const news = new Map<string, LiveNews>()
  const documentId = task instanceof DocumentTask ? task.document.id : undefined
  const ownerId = ownerOf(task)

  for (const event of events) {
    if (event.ownerId !== ownerId || !isToldTo(task.principal, event)) continue
    if (isHiddenFrom(task.store, task.principal, event)) continue
    // A reply to a suggestion is part of it: whoever may not know of suggestions hears nothing of it.
    const what = event.suggestionId === null ? subjectOf(event.kind) : 'suggestions'
    if (what === 'everything') return [{ type: 'everything' }]
    if (what === 'sharing') {
      if (documentId === undefined) news.set(what, { type: 'sharing' })
    } else if (what !== 'keys' && (documentId ?? event.documentId) === event.documentId) {
      // What is said of a guest is about all that they have said, which isn’t named.
      const parts = what === 'feedback' ? (['comments', 'suggestions'] as const) : ([what] as const)
      for (const part of parts) {
        if (task.principal.kind === 'link' && !mayHear(task.principal, part)) continue
        const key = part === 'deleted' ? part : `${event.documentId} ${part}`
        const before = news.get(key)
        const about = what === 'feedback' ? { ...event, subjectId: null } : event
        news.set(key, withEvent(before?.type === 'changed' ? before : undefined, part, about))
      }
    }
  }
  const changes = [...news.values()]
  return changes.length > mostChanges ? [{ type: 'everything' }] : changes
}

function withEvent(before: LiveChange | undefined, what: LiveChange['what'], event: GalleyEvent): LiveChange {
  const { documentId, revision, suggestionId } = event
  const subjectId = suggestionId ?? event.subjectId
  if (what === 'deleted') return { type: 'changed', document_id: null, what }
  const change: LiveChange = { type: 'changed', document_id: documentId, what }
  if (what === 'content') return revision === null ? change : { ...change, revision }
  if (what !== 'comments' && what !== 'suggestions') return change
  // Once too many were named, none is.
  if (subjectId === null || (before && !before.ids)) return change
  const ids = new Set(before?.ids)
  const gone = new Set(before?.gone)
  ;(suggestionId === null && isRemoval(event.kind) ? gone : ids).add(subjectId)
  if (ids.size + gone.size > mostNamed) return change
  return { ...change, ids: [...ids].filter((id) => !gone.has(id)), gone: [...gone] }
}

function mayHear({ link }: Extract<Principal, { kind: 'link' }>, what: LiveChange['what']): boolean {
  if (ownersOnly.has(what)) return false
  return what !== 'suggestions' || may({ kind: 'link', access: accessOf(link) }, 'suggestion.list') === 'yes'
}
