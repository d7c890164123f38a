import { groupOf, type EventKind, type EventPrincipal, type GalleyEvent } from '../contract/events.ts'
import type { ActionContext } from './context.ts'
import type { Principal } from './principal.ts'

/** What happens, as an action says it. */
interface Happening {
  kind: EventKind
  /** The document it happens to, as it is afterwards. */
  document?: { id: string; owner_id: string; revision: number }
  /** Whose account it happens in, where it is about no document and Galley does it by itself. */
  owner?: string
  /** The comment, suggestion, round, link, key or webhook. */
  subject?: string
  /** Several of them, to each of which it happens. */
  subjects?: readonly string[]
  /** Of a comment, the suggestion that it answers. */
  suggestion?: string | null
  /** How a guest who does it is called. */
  guest?: string
  /** The hidden guests because of whom others didn’t see what is gone by it. */
  hiddenAuthors?: readonly string[]
}

/** Says inside a transaction what happens in it. */
export type Happened = (happening: Happening) => void

/** Who does something: whoever asks; a guest of whom only the link is known; null for Galley itself. */
export type Doer = Principal | { kind: 'visitor'; link: { id: string } } | null

export type Recording = Pick<ActionContext, 'store' | 'publish'>

/**
 * Runs `work` in a transaction, together with whatever else is to be written now, and with what happens in it, which is
 * told once it is committed, in order. `work` must not await.
 * @param doer asked for each thing that happens: who it is may only come out then
 */
export const record = <T>(
  context: Recording,
  doer: () => Doer,
  work: (happened: Happened) => T,
): Promise<T> => context.store.write(() => recordWithin(context, doer, work))

/** The same inside a transaction that is under way. These two are the one way for events to come about. */
export function recordWithin<T>(
  { store, publish }: Recording,
  doer: () => Doer,
  work: (happened: Happened) => T,
): T {
  const events: GalleyEvent[] = []
  const result = work(
    ({ kind, document, owner, subject, subjects, suggestion, guest, hiddenAuthors = [] }) => {
      const by = doer()
      const ownerId = document?.owner_id ?? owner ?? accountIdOf(by, kind)
      const event = {
        at: store.now(),
        kind,
        ownerId,
        documentId: document?.id ?? null,
        revision: document?.revision ?? null,
        suggestionId: suggestion ?? null,
        principal: principalOf(by, ownerId, guest),
        ...(hiddenAuthors.length === 0 ? {} : { hiddenAuthors }),
      }
      if (subjects) {
        const first = store.events.appendEach(event, subjects)
        subjects.forEach((subjectId, index) => events.push({ seq: first + index, ...event, subjectId }))
        return
      }
      const one = { ...event, subjectId: subject ?? null }
      events.push({ seq: store.events.append(one), ...one })
    },
  )
  if (events.length > 0) store.afterCommit(() => publish(events))
  return result
}

function accountIdOf(by: Doer, kind: EventKind): string {
  if (by?.kind !== 'owner') throw new Error(`whose account ${groupOf(kind)} belongs to isn’t known`)
  return by.user.id
}

/** How the account’s owner knows whoever did it. */
function principalOf(by: Doer, ownerId: string, guest: string | undefined): EventPrincipal {
  if (by === null) return { kind: 'galley', name: null, id: null }
  if (by.kind === 'visitor') return { kind: 'guest', name: null, id: by.link.id }
  const author = by.kind === 'owner' ? by.author : by.account?.author
  if (!author) {
    const isAgent = by.kind === 'link' && by.agent !== undefined
    const id = by.kind === 'link' ? by.link.id : null
    return { kind: 'guest', name: guest ?? null, id, ...(isAgent ? { keyKind: 'agent' as const } : {}) }
  }
  const { id, name, key, keyName, keyKind } = author
  // What others come with to a link that was sent to them is their own business.
  if (id !== ownerId) return { kind: 'user', name, id }
  if (key.startsWith('key:'))
    return {
      ...{ kind: 'key', name: keyName ?? name, id: key.slice('key:'.length) },
      keyKind: keyKind ?? 'script',
    }
  if (!key.startsWith('cli:')) return { kind: 'owner', name, id }
  return { kind: 'command', name, id, ...(keyKind === undefined ? {} : { keyKind }) }
}
