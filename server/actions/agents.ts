import { groupOf, type GalleyEvent } from '../contract/events.ts'
import type { Store } from '../store/store.ts'
import { personOfPrincipal, type Principal } from './principal.ts'

/** An agent, as it is known while it is there. */
export interface NamedAgent {
  id: string
  /** As `personOf` has it; null where that isn’t known. */
  person: string | null
  name: string
  /** Whether the link that it came by lets other recipients see who does. */
  isSeen: boolean
}

const byKey = (id: string) => `key ${id}`
const byLink = (link: string, name: string) => `link ${link} ${name}`

/** Which agent somebody is; null for who is none. */
export function agentOf(principal: Principal): NamedAgent | null {
  const key = principal.kind === 'owner' ? principal.key : principal.account?.key
  const link = principal.kind === 'link' ? principal.link : null
  const isSeen = link?.hides_people !== 1
  const person = personOfPrincipal(principal)
  if (key?.kind === 'agent') return { id: byKey(key.id), person, name: key.name, isSeen }
  if (principal.kind !== 'link' || principal.agent === undefined) return null
  return { id: byLink(principal.link.id, principal.agent), person, name: principal.agent, isSeen }
}

/** What an agent has changed, and where, as it has just happened; null for what none did, or what has no place in a text. */
export function agentChange({ documents, comments, suggestions, shareLinks }: Store, event: GalleyEvent) {
  const { kind, documentId, principal, subjectId } = event
  const { id, name } = principal
  if (principal.keyKind !== 'agent' || documentId === null || id === null || name === null) return null
  // One without a key has no name that tells it from whoever started it.
  if (principal.kind === 'command') return null
  const document = documents.findHead(documentId)
  if (!document) return null
  const link = principal.kind === 'guest' ? shareLinks.find(id, document.number) : undefined
  if (principal.kind === 'guest' && !link) return null
  const agent: NamedAgent = {
    id: link ? byLink(link.id, name) : byKey(id),
    person: link ? null : `key:${id}`,
    name,
    isSeen: link?.hides_people !== 1,
  }
  const { revision } = document
  if ((kind === 'document.changed' || kind === 'version.restored') && event.revision !== null)
    return { agent, documentId, revision: event.revision, at: null }
  const group = groupOf(kind)
  const of = group === 'comment' ? comments : group === 'suggestion' ? suggestions : null
  const range = subjectId === null ? null : of?.find(subjectId, document.number)?.range
  return range ? { agent, documentId, revision, at: { anchor: range.start, head: range.end } } : null
}
