import { createHash } from 'node:crypto'
import type { Me, Settings, User } from '../contract/records/account.ts'
import type { AuthorKind, DoneBy } from '../contract/records/authors.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { Document, DocumentSummary } from '../contract/records/documents.ts'
import type { EventRecord } from '../contract/records/events.ts'
import type { ApiKey } from '../contract/records/keys.ts'
import type { LinkVisit } from '../contract/records/link-visits.ts'
import type { Permission, ShareLink, ShareLinkSummary } from '../contract/records/share-links.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import type { TrashedDocument } from '../contract/records/trash.ts'
import type { Delivery, Webhook } from '../contract/records/webhooks.ts'
import type { HistoryEntry, PastText, VersionSummary } from '../contract/records/versions.ts'
import type { StaleLink } from '../contract/routes/share-links.ts'
import type { EventPrincipal, GalleyEvent } from '../contract/events.ts'
import type { Range } from '../contract/records/anchors.ts'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { authorKind } from '../domain/author-kind.ts'
import { deviceName } from '../domain/device.ts'
import { shownReactions, type StoredReaction } from '../domain/reactions.ts'
import { placeSuggestion } from '../domain/suggestion.ts'
import type { Budget } from '../domain/budget.ts'
import { readNoted, type NotedAuthor } from '../store/author.ts'
import type { CommentRow } from '../store/comments.ts'
import type { CopiedLinkRow } from '../store/copied-links.ts'
import type { ApiKeyRow } from '../store/api-keys.ts'
import type { RevisionRow } from '../store/document-past.ts'
import type { DocumentRow, DocumentSummaryRow } from '../store/documents.ts'
import type { HistoryRow } from '../store/history.ts'
import type { LinkVisitRow } from '../store/link-visits.ts'
import { readLogged } from '../store/log.ts'
import type { ShareLinkRow } from '../store/share-links.ts'
import type { SuggestionRow } from '../store/suggestions.ts'
import type { PutAway } from '../store/in-trash.ts'
import type { UserRow } from '../store/users.ts'
import { type ColouredSuggester, type VersionRow } from '../store/versions.ts'
import type { DeliveryRow } from '../store/webhook-deliveries.ts'
import type { WebhookRow } from '../store/webhooks.ts'
import { instant } from './instant.ts'
import { reactorOf, wrote, type AccountPrincipal, type Principal } from './principal.ts'
import { accessOf } from '../domain/access.ts'

/** What is shown of each record, field by field: a column that isn't named here leaves the server by no channel. */

const time = instant
export const instantView = time
export const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms))

const wholeDocumentView = (row: DocumentRow): Document => ({
  id: row.id,
  owner_id: row.owner_id,
  title: row.title,
  content: row.text.whole,
  revision: row.revision,
  created_at: time(row.created_at),
  updated_at: time(row.updated_at),
})

/** What whoever came by a link may do. */
export const allowedView = (principal: Principal): { permission?: Permission; suggest_only?: true } =>
  principal.kind === 'owner'
    ? {}
    : {
        permission: principal.link.permission,
        ...(accessOf(principal.link) === 'suggest' ? { suggest_only: true } : {}),
      }

export const documentView = (row: DocumentRow, principal: Principal): Document => {
  const document = wholeDocumentView(row)
  return { ...document, ...allowedView(principal) }
}

export const documentSummaryView = (row: DocumentSummaryRow): DocumentSummary => ({
  id: row.id,
  title: row.title,
  created_at: time(row.created_at),
  updated_at: time(row.updated_at),
})

/** Who did something to a record, under the name of its field; nothing where that isn’t known. */
export function doneBy<Field extends string>(field: Field, noted: string | null, principal: Principal) {
  const by = noted === null ? undefined : doneByView(readNoted(noted), principal)
  return (by === undefined ? {} : { [field]: by }) as Partial<Record<Field, DoneBy>>
}

const doneByView = (by: NotedAuthor, principal: Principal): DoneBy => ({
  author_id: by.author_id,
  author_name: by.author_name,
  key_name: by.key_name,
  author_kind: authorKind(by),
  mine: wrote(principal, by),
})

export const putAwayView = ({ deleted_at, deleted_by }: PutAway, principal: Principal) => ({
  deleted_at: time(deleted_at),
  ...doneBy('deleted_by', deleted_by, principal),
})

export const trashedView = (row: DocumentRow & PutAway, principal: Principal): TrashedDocument => ({
  ...wholeDocumentView(row),
  ...putAwayView(row, principal),
})

const colourView = ({ colour }: { colour: number | undefined }) =>
  colour === undefined ? {} : { author_colour: colour }

/** An older Galley noted less. */
const suggesterView = ({ name, guest, keyName, keyKind, colour }: ColouredSuggester) => ({
  ...{ name, guest, key_name: keyName ?? null },
  ...colourView({ colour }),
  kind: guest === null ? null : (keyKind ?? (guest ? ('guest' as const) : ('person' as const))),
})

export const versionView = (row: VersionRow): VersionSummary => {
  const { suggesters } = row
  return {
    revision: row.revision,
    title: row.title,
    name: row.name,
    kind: row.kind,
    author_id: row.author_id,
    author_name: row.author_name,
    key_name: row.key_name,
    author_kind: authorKind(row),
    ...colourView(row),
    suggested_by: [...new Set(suggesters.map(({ name }) => name))],
    suggesters: suggesters.map(suggesterView),
    size: row.size,
    added: row.added,
    removed: row.removed,
    started_at: time(row.started_at),
    created_at: time(row.created_at),
  }
}

export const pastTextView = (row: RevisionRow, content: string): PastText => ({
  revision: row.revision,
  author_id: row.author_id,
  author_name: row.author_name,
  key_name: row.key_name,
  author_kind: authorKind(row),
  ...colourView(row),
  size: row.length,
  created_at: time(row.at),
  content,
})

export const historyEntryView = (row: HistoryRow): HistoryEntry => ({
  revision: row.revision,
  base: row.base,
  // Only a change that has a version of its own is anything else.
  kind: row.kind ?? 'edit',
  author_id: row.author_id,
  author_name: row.author_name,
  key_name: row.key_name,
  author_kind: authorKind(row),
  ...colourView(row),
  suggesters: row.suggesters.map(suggesterView),
  size: row.length,
  hash: row.hash,
  created_at: time(row.at),
  changes: readLogged(row.changes),
})

/** What links start with: for people elsewhere, as long as they can open any, and on this machine. */
export interface LinkAddresses {
  url: string | null
  local: string
}

export const shareLinkSummaryView = (
  row: ShareLinkRow,
  { principal }: { principal: Principal },
  addresses: LinkAddresses,
): ShareLinkSummary => ({
  id: row.id,
  token: row.token,
  permission: row.permission,
  label: row.label,
  expires_at: timeOrNull(row.expires_at),
  created_at: time(row.created_at),
  ...doneBy('made_by', row.made_by, principal),
  last_used_at: timeOrNull(row.last_used_at),
  hides_people: row.hides_people === 1,
  suggest_only: row.suggest_only === 1,
  allows_agents: row.allows_agents === 1,
  url: addresses.url === null ? null : `${addresses.url}/share/${row.token}`,
  local_url: `${addresses.local}/share/${row.token}`,
})

export const staleLinkView = (row: CopiedLinkRow): StaleLink => ({
  document_id: row.document,
  document_title: row.title,
  link_id: row.link,
  link_label: row.label,
  address: row.address,
  copied_at: time(row.at),
})

export const shareLinkView = (
  row: ShareLinkRow,
  task: { principal: Principal; document: { id: string } },
  addresses: LinkAddresses,
): ShareLink => ({
  ...shareLinkSummaryView(row, task, addresses),
  document_id: task.document.id,
  created_by: row.created_by,
})

export const linkVisitView = (row: LinkVisitRow): LinkVisit => ({
  id: row.id,
  link_id: row.link,
  opened_at: time(row.opened_at),
  preview: row.preview === 1,
  device: row.device === null ? null : deviceName(row.device),
  name: row.name,
})

/** A guest’s name in one document, which tells nothing of them in another. */
export function guestId(documentId: string, key: string): string {
  const hex = createHash('sha256').update(`${documentId}\n${key}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** Who of the guests it is, and whether they are hidden, is only for the owner to know. */
const guestView = (
  { author_key, hidden }: { author_key: string; hidden: 0 | 1 },
  documentId: string,
  principal: Principal,
) =>
  principal.kind === 'owner' && author_key.startsWith('guest:')
    ? { guest_id: guestId(documentId, author_key), ...(hidden === 1 ? { hidden: true as const } : {}) }
    : {}

export const commentView = (
  row: CommentRow,
  documentId: string,
  principal: Principal,
  reactor = reactorOf(principal),
): Comment => {
  const isOwner = principal.kind === 'owner'
  const shown = row.reactions.filter(
    ({ by }) => isOwner || by === reactor || !row.hiddenReactors.includes(by),
  )
  const guestsOf = (reactions: readonly StoredReaction[]) => {
    const guests = isOwner ? reactions.filter(({ by }) => by.startsWith('guest:')) : []
    const told = guests.map(({ by, name }) => ({
      ...{ guest_id: guestId(documentId, by), name },
      ...(row.hiddenReactors.includes(by) ? { hidden: true as const } : {}),
    }))
    return told.length > 0 ? { guests: told } : {}
  }
  return {
    id: row.id,
    document_id: documentId,
    parent_id: row.parent_id,
    suggestion_id: row.suggestion_id,
    author_id: row.author_id,
    author_name: row.author_name,
    key_name: row.key_name,
    author_kind: authorKind(row),
    ...colourView(row),
    ...guestView(row, documentId, principal),
    body: row.body,
    anchor: row.anchor,
    range: row.range,
    mine: wrote(principal, row),
    ...(shown.length > 0 ? { reactions: shownReactions(shown, reactor, guestsOf) } : {}),
    resolved_at: timeOrNull(row.resolved_at),
    ...doneBy('resolved_by', row.resolved_by, principal),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    edited_at: timeOrNull(row.edited_at),
  }
}

/**
 * `content` is the document's current text: a suggestion's range is where accepting it would apply to that, as far as
 * `budget` allows to look.
 */
export const suggestionView = (
  row: SuggestionRow,
  documentId: string,
  content: string,
  principal: Principal,
  budget?: Budget,
): Suggestion => {
  const range = row.status === 'pending' ? placeSuggestion(content, row, budget) : null
  const around = range && aroundNow(content, row, range)
  return {
    id: row.id,
    document_id: documentId,
    author_id: row.author_id,
    author_name: row.author_name,
    key_name: row.key_name,
    author_kind: authorKind(row),
    ...colourView(row),
    ...guestView(row, documentId, principal),
    original_text: row.original_text,
    suggested_text: row.suggested_text,
    accepted_text: row.accepted_text,
    anchor: row.anchor,
    range,
    ...(around && { around }),
    ...(row.beside && { beside: row.beside }),
    note: row.note,
    mine: wrote(principal, row),
    status: row.status,
    created_at: time(row.created_at),
    edited_at: timeOrNull(row.edited_at),
    resolved_at: timeOrNull(row.resolved_at),
    ...doneBy('resolved_by', row.resolved_by, principal),
  }
}

/** What stands around a suggestion’s range by now; null where its anchor still says it. */
function aroundNow(
  content: string,
  { anchor }: SuggestionRow,
  { start, end }: Range,
): Suggestion['around'] | null {
  if (!anchor) return null
  const { prefix, suffix } = anchor
  const isAsItWas =
    content.slice(Math.max(0, start - prefix.length), start) === prefix &&
    content.slice(end, end + suffix.length) === suffix
  if (isAsItWas) return null
  const now = anchorAt(content, start, end)
  return { before: now.prefix, behind: now.suffix }
}

export const apiKeyView = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  kind: row.kind,
  access: row.access,
  documents: row.documents === null ? null : [...row.documents],
  created_at: time(row.created_at),
  last_used_at: timeOrNull(row.last_used_at),
  expires_at: timeOrNull(row.expires_at),
})

function eventAuthorKind({ kind, keyKind }: EventPrincipal): AuthorKind | null {
  if (kind === 'galley') return null
  if (kind === 'key') return keyKind ?? 'script'
  if (kind === 'guest' && keyKind === 'agent') return 'agent'
  if (kind === 'command' && keyKind === 'agent') return 'agent'
  return kind === 'guest' ? 'guest' : 'person'
}

export const eventView = (event: GalleyEvent): EventRecord => ({
  seq: event.seq,
  at: time(event.at),
  kind: event.kind,
  document_id: event.documentId,
  revision: event.revision,
  principal: {
    kind: event.principal.kind,
    name: event.principal.name,
    id: event.principal.id,
    author_kind: eventAuthorKind(event.principal),
  },
  subject_id: event.subjectId,
  suggestion_id: event.suggestionId,
})

export const webhookView = (row: WebhookRow, waiting: number): Webhook => ({
  id: row.id,
  url: row.url,
  kinds: row.kinds && [...row.kinds],
  documents: row.documents && [...row.documents],
  inner_network: row.inner_network,
  active: row.active,
  off_reason: row.off_reason,
  waiting,
  failing_since: timeOrNull(row.failing_since),
  last_error: row.last_error,
  last_delivered_at: timeOrNull(row.last_delivered_at),
  created_at: time(row.created_at),
})

export const deliveryView = (row: DeliveryRow): Delivery => ({
  id: row.id,
  status: row.status,
  event: row.event,
  attempts: row.attempts,
  created_at: time(row.created_at),
  last_attempt_at: timeOrNull(row.last_at),
  next_attempt_at: row.status === 'waiting' ? time(row.next_at) : null,
  response_status: row.response,
  error: row.error,
})

export const settingsView = ({ name, theme, trash_days, files_gigabytes }: UserRow): Settings => ({
  ...{ name, theme, trash_days, files_gigabytes },
})

export const meView = ({ user, key }: AccountPrincipal, owns_machine: boolean): Me => ({
  ...userView(user),
  owns_machine,
  author_kind: key?.kind ?? 'person',
  key: key && apiKeyView(key),
})

export const userView = (row: UserRow): User => ({ id: row.id, name: row.name })
