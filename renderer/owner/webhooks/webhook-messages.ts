import { groupOf, type EventKind } from '../../../server/contract/events.ts'
import type { Delivery, Webhook } from '../../../server/contract/records/webhooks.ts'

/** What can be told, as it is chosen. */
export const groups: readonly { value: ReturnType<typeof groupOf>; label: string }[] = [
  { value: 'comment', label: 'Comments' },
  { value: 'suggestion', label: 'Suggestions' },
  { value: 'round', label: 'Reviews' },
  { value: 'document', label: 'Documents' },
  { value: 'version', label: 'Versions' },
  { value: 'file', label: 'Files' },
  { value: 'link', label: 'Share links' },
  { value: 'sharing', label: 'Sharing' },
  { value: 'key', label: 'API keys' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'backup', label: 'Backups' },
]

export function toldWords({ kinds }: Pick<Webhook, 'kinds'>): string {
  if (kinds === null) return 'Everything'
  return kinds.map((kind) => groups.find(({ value }) => value === kind)?.label ?? kind).join(', ')
}

export function documentsWords({ documents }: Pick<Webhook, 'documents'>): string | null {
  if (documents === null) return null
  return documents.length === 1 ? '1 document only' : `${documents.length} documents only`
}

/** An address in two parts: which server, and what there. */
export function addressParts(url: string): { host: string; rest: string } {
  const parsed = URL.parse(url)
  if (!parsed) return { host: url, rest: '' }
  const scheme = parsed.protocol === 'http:' ? 'http://' : ''
  const rest = `${parsed.pathname}${parsed.search}`
  return { host: scheme + parsed.host, rest: rest === '/' ? '' : rest }
}

const happenings: Partial<Record<EventKind, string>> = {
  'document.created': 'New document',
  'document.changed': 'Text changed',
  'document.renamed': 'Renamed',
  'document.trashed': 'Put into the trash',
  'document.restored': 'Taken out of the trash',
  'document.deleted': 'Deleted',
  'comment.created': 'New comment',
  'comment.resolved': 'Comment resolved',
  'suggestion.created': 'New suggestion',
  'suggestion.accepted': 'Suggestion accepted',
  'suggestion.rejected': 'Suggestion rejected',
  'round.opened': 'Review asked for',
  'round.finished': 'Review done',
  'link.visited': 'Link opened',
}

/** What a delivery is about. */
export const happenedWords = ({ event }: Pick<Delivery, 'event'>): string =>
  event === null ? 'Test' : (happenings[event.kind] ?? event.kind)
