import { hkdfSync } from 'node:crypto'
import { invalid } from '../contract/errors.ts'
import { shownName } from '../domain/shown-name.ts'
import type { Author, NotedAuthor } from '../store/author.ts'
import { randomHex } from '../store/digest.ts'
import { unnamed } from '../store/guests.ts'
import type { Happened } from './record.ts'
import { guestId } from './view.ts'
import { guestKey, type Principal } from './principal.ts'
import type { DocumentTask } from './task.ts'

/** @throws GalleyError VALIDATION_ERROR for a name that a guest can't have */
export function checkAuthorName({ principal }: DocumentTask, name: string | undefined) {
  if (principal.kind === 'link' && !principal.account && name?.trim() === '')
    throw invalid('“author_name” must not be empty.', 'author_name')
}

/** Who is writing. A guest who does so for the first time gets a secret, which later lets them edit what they wrote. */
export function authorOf(task: DocumentTask, name: string | undefined): Author {
  const { principal } = task
  if (principal.kind === 'owner') return principal.author
  return { ...byLink(task, principal, name), hidden: principal.link.hides_people === 1 }
}

/** The same of who says something: what they have said here before without a name has theirs from now on, too. */
export function authorOfFeedback(task: DocumentTask, name: string | undefined, happened: Happened): Author {
  const author = authorOf(task, name)
  const { principal, store, document } = task
  const isGuest = principal.kind === 'link' && !principal.account && principal.guestKey !== null
  if (isGuest && store.guests.nameEarlier(document.number, author.key, author.name))
    happened({
      ...{ kind: 'guest.changed', document, subject: guestId(document.id, author.key) },
      guest: author.name,
    })
  return author
}

/** Who does something to a record that only its author and the document’s owner may: a guest has made it. */
export function authorOrOwnerOf(
  { principal }: DocumentTask,
  { author_key, author_name, key_kind }: Pick<NotedAuthor, 'author_key' | 'author_name' | 'key_kind'>,
): Author {
  const account = principal.kind === 'owner' ? principal : principal.account
  if (account) return account.author
  return { id: null, name: author_name, key: author_key, ...(key_kind === null ? {} : { keyKind: key_kind }) }
}

function byLink(
  task: DocumentTask,
  principal: Extract<Principal, { kind: 'link' }>,
  name: string | undefined,
): Author {
  if (principal.account) return principal.account.author
  if (principal.agent !== undefined && principal.guestKey !== null) {
    const { agent, guestKey: key } = principal
    return { id: null, name: nameOfGuest(task, key, agent), key, keyKind: 'agent' }
  }
  const called = shownName(name ?? '') || unnamed
  if (principal.guestKey !== null) {
    const { guestKey: key } = principal
    return { id: null, name: nameOfGuest(task, key, called), key }
  }
  const { guestKnownBy } = task
  const secret = guestKnownBy === undefined ? randomHex(16) : secretBy(guestKnownBy, principal.link.id)
  task.becomeGuest(secret)
  return { id: null, name: called, key: guestKey(secret) }
}

/**
 * The secret of a guest whose answer may get lost: whoever asks again under the same key is the same guest, and what
 * they do is done once. Keys are random, which whoever hands them on has looked at, and their asker's own.
 */
const secretBy = (key: string, link: string) =>
  Buffer.from(hkdfSync('sha256', key, link, 'galley guest', 16)).toString('hex')

/** What the document’s owner calls a guest comes before what they call themselves, which is noted. */
function nameOfGuest({ store, document }: DocumentTask, key: string, called: string): string {
  const given = store.guests.calledBy(document.number, key)
  if (given === undefined) return called
  store.guests.noteName(document.number, key, called)
  return given ?? called
}
