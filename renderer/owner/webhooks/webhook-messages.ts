import type { EventKind, groupOf } from '../../../server/contract/events.ts'
import type { Delivery, Webhook } from '../../../server/contract/records/webhooks.ts'

/** What can be told, as it is chosen. */
export const groups: readonly { value: ReturnType<typeof groupOf>; label: string }[] = [
  { value: 'comment', label: 'Comments' },
  { value: 'suggestion', label: 'Suggestions' },
  { value: 'round', label: 'Reviews' },
  { value: 'guest', label: 'Guests' },
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
  return kinds
    .map((kind) => groups.find(({ value }) => value === kind)?.label ?? words[kind] ?? kind)
    .join(', ')
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

const happenings: Record<EventKind, string> = {
  'document.created': 'New document',
  'document.changed': 'Text changed',
  'document.renamed': 'Document renamed',
  'document.trashed': 'Put into the trash',
  'document.restored': 'Taken out of the trash',
  'document.deleted': 'Document deleted',
  'version.restored': 'Version restored',
  'version.named': 'Version named',
  'version.forgotten': 'Past forgotten',
  'comment.created': 'New comment',
  'comment.changed': 'Comment changed',
  'comment.resolved': 'Comment resolved',
  'comment.reopened': 'Comment reopened',
  'comment.reacted': 'Reaction',
  'comment.unreacted': 'Reaction taken back',
  'comment.deleted': 'Comment deleted',
  'suggestion.created': 'New suggestion',
  'suggestion.changed': 'Suggestion changed',
  'suggestion.accepted': 'Suggestion accepted',
  'suggestion.rejected': 'Suggestion rejected',
  'suggestion.reopened': 'Suggestion reopened',
  'suggestion.withdrawn': 'Suggestion withdrawn',
  'guest.changed': 'Guest renamed, hidden or shown',
  'round.opened': 'Review asked for',
  'round.changed': 'Review changed',
  'round.ended': 'Review ended',
  'round.reopened': 'Review reopened',
  'round.finished': 'Reviewer done',
  'round.resumed': 'Reviewer goes on',
  'file.added': 'New file',
  'file.deleted': 'File deleted',
  'link.created': 'New link',
  'link.changed': 'Link changed',
  'link.revoked': 'Link revoked',
  'link.restored': 'Link restored',
  'link.visited': 'Link opened',
  'key.created': 'New API key',
  'key.deleted': 'API key deleted',
  'webhook.created': 'New webhook',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.stopped': 'Webhook switched off',
  'sharing.stopped': 'Sharing stopped',
  'sharing.started': 'Sharing again',
  'backup.restored': 'Backup restored',
}
const words: Readonly<Record<string, string>> = happenings

/** What a delivery is about. */
export const happenedWords = ({ event }: Pick<Delivery, 'event'>): string =>
  event === null ? 'Test' : happenings[event.kind]
