import { isToldAuthors, listChanges, nameOf, pushChange } from '../actions/changes.ts'
import type { Asker } from '../actions/asker.ts'
import { explainError } from '../actions/explained-errors.ts'
import type { Feed } from '../actions/feed.ts'
import { isThere } from '../actions/follow.ts'
import { instant } from '../actions/instant.ts'
import { missedNews, newsOf } from '../actions/news.ts'
import { perform } from '../actions/perform.ts'
import { agentOf } from '../actions/agents.ts'
import { isGuest, personOfPrincipal, seenAs, type Principal } from '../actions/principal.ts'
import { DocumentTask, mayAlso, type AccountTask } from '../actions/task.ts'
import type { WaitingContext } from '../actions/waits.ts'
import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import { liveLimits } from '../contract/live-limits.ts'
import { clientIdPattern } from '../contract/records/changes.ts'
import { liveCodes, type CursorPlace, type LiveMessage, type LiveSaying } from '../contract/live.ts'
import { codePointLength } from '../domain/code-points.ts'
import { shownName } from '../domain/shown-name.ts'
import type { ConnectedClient, Live } from './live.ts'
import { MessageLimit } from './message-limit.ts'
import type { Follower } from './room.ts'
import type { Rooms } from './rooms.ts'
import { accessOf } from '../domain/access.ts'

/** What a connection works with. */
export interface ListenerContext extends WaitingContext {
  feed: Pick<Feed, 'last' | 'next' | 'waiting'>
  live: Pick<Live, 'join' | 'leave' | 'renamed' | 'takes'>
  rooms: Rooms
  onFailure: (error: unknown) => void
}

/** The other end, as far as this folder cares. */
export interface Peer {
  send(text: string): void
  /** Asks for a sign of life; false if the last question wasn’t answered. */
  ping(): boolean
  end(code: number): void
}

interface LiveListenerOptions {
  context: ListenerContext
  /** What let them in. */
  task: DocumentTask | AccountTask
  peer: Peer
}

type Say<Type extends string> = Extract<LiveSaying, { type: Type }>

/** Somebody who is connected: what they hear, and what they may say. */
export class Listener implements ConnectedClient {
  readonly guest: ConnectedClient['guest']
  readonly host: string | null
  readonly #context: ListenerContext
  readonly #task: DocumentTask | AccountTask
  readonly #peer: Peer
  #principal: Principal
  /** Their place in the document’s room, while they follow its text. */
  #following: (Follower & { client: string }) | null = null
  /** Counts what was asked: an answer that comes after the next question is void. */
  #asked = 0
  /** What they call themselves, if they have said so; the document’s owner may call them something else. */
  #ownName: string | null = null
  #givenName: string | null = null
  readonly #limit = new MessageLimit()
  #isEnded = false

  constructor({ context, task, peer }: LiveListenerOptions) {
    this.#context = context
    this.#task = task
    this.#peer = peer
    const { principal } = task
    this.#principal = principal
    const document = this.#document
    this.#givenName = givenName(task, context)
    this.guest =
      principal.kind === 'link' && document
        ? {
            ownerId: document.owner_id,
            address: task.asker.address(),
            isSilent: true,
            person: {
              document_id: document.id,
              link_id: principal.link.id,
              link_label: principal.link.label,
              ...seenAs(principal),
              ...(isGuest(principal) ? { name: this.#givenName } : {}),
              guest: isGuest(principal),
              since: instant(context.store.now()),
              follower: null,
            },
          }
        : null
    // Who has come by a link to other documents than a key’s is none of its business.
    this.host =
      principal.kind === 'owner' && !document && mayAlso(principal, 'sharing.read') ? principal.user.id : null
  }

  /** @param since how far they had heard when they were here before */
  join(since: string | null): void {
    this.#context.live.join(this)
    for (const message of missedNews(this.#task, this.#context.feed, since)) this.#tell(message)
  }

  /** They are gone. */
  leave(): void {
    this.#limit.stop()
    this.#unfollow()
    this.#context.live.leave(this)
  }

  about(events: readonly GalleyEvent[]): LiveMessage[] {
    // Who follows the text is told what it becomes.
    const rest = this.#following ? events.filter(({ kind }) => subjectOf(kind) !== 'content') : events
    return rest.length > 0 ? newsOf(this.#task, rest) : []
  }

  refusal(): number | null {
    try {
      this.#task.authorize()
      this.#look(this.#task.principal)
      return null
    } catch (error) {
      const refusal = explainError(error)
      // A fault of ours says nothing about the credential.
      if (!refusal || refusal.status >= 500) return null
      // A link goes with its document, and so can’t say any more what has become of it.
      if (this.#document && !isThere(this.#context, this.#document)) return liveCodes.notFound
      return refusal.code === 'NOT_FOUND' ? liveCodes.notFound : liveCodes.unauthorized
    }
  }

  send(text: string): void {
    this.#peer.send(text)
  }
  ping(): boolean {
    return this.#peer.ping()
  }
  end(code: number): void {
    this.#isEnded = true
    this.#peer.end(code)
  }

  /** Who follows the text, and where they are once it has come to a revision; null while they themselves don’t follow it. */
  presence(revision: number) {
    const document = this.#document
    const seen =
      document && this.#following && this.#context.rooms.seenBy(document.id, this.#following, revision)
    return seen && { you: this.#following!.id, ...seen }
  }

  /** They have given a sign of life. */
  heard(): void {
    if (!this.guest?.isSilent) return
    this.guest.isSilent = false
    this.#context.live.renamed(this)
  }

  /** They say something; null for what can’t be read. */
  receive(text: string | null): void {
    // What was on its way is still read, and may be much.
    if (this.#isEnded) return
    this.heard()
    const saying = text === null ? null : sayingOf(text)
    if (saying === null || !this.#takes(saying)) return this.end(liveCodes.policy)
    if ('name' in saying) return this.#rename(saying.name)
    switch (saying.type) {
      case 'follow':
        return void this.#follow(saying).catch((error: unknown) => {
          const refusal = explainError(error)
          // Whatever else they are refused for, they are told when they ask.
          if (refusal?.code === 'PRECONDITION_FAILED') this.#tell({ type: 'apart' })
          else if (!refusal) this.#context.onFailure(error)
        })
      case 'ping':
        return this.#tell({ type: 'pong' })
      case 'unfollow':
        return this.#unfollow()
      case 'push':
        return void this.#push(saying, text!.length)
      case 'cursor':
        return this.#place(saying)
    }
  }

  #takes(saying: LiveSaying): boolean {
    const counts = 'type' in saying && saying.type === 'follow' ? liveLimits.followCounts : 1
    if (!this.#limit.takes(this.#following !== null)) return false
    return this.guest === null || this.#context.live.takes(this.guest, counts)
  }

  #rename(name: string): void {
    if (!this.guest || !isGuest(this.#principal)) return
    this.#ownName = name === '' ? null : name
    this.#givenName = givenName(this.#task, this.#context)
    this.#call(this.guest)
  }

  /** Everybody hears how they are called now. */
  #call({ person }: NonNullable<ConnectedClient['guest']>): void {
    person.name = this.#givenName ?? this.#ownName
    this.#context.live.renamed(this)
    if (this.#following) this.#context.rooms.changed(person.document_id)
  }

  async #follow({ since, client }: Say<'follow'>): Promise<void> {
    const document = this.#document
    if (!document) return this.end(liveCodes.policy)
    this.#unfollow()
    const asked = ++this.#asked
    const target = { id: document.id }
    const updates = await perform(this.#context, listChanges, this.#task.asker, target, { since, client })
    if (asked !== this.#asked || !this.#mayFollow()) return
    const id = nameOf(this.#task, client)
    const { principal } = this.#task
    const { name, kind } = seenAs(principal)
    this.#following = {
      ...{ id, client, kind, person: personOfPrincipal(principal), agentId: agentOf(principal)?.id ?? null },
      isOwner: principal.kind === 'owner' && kind === 'person',
      seesAll: principal.kind === 'owner',
      name: () => (this.guest ? this.guest.person.name : name),
      isSeen: () => this.#principal.kind !== 'link' || this.#principal.link.hides_people === 0,
      isTold: () => isToldAuthors(this.#principal),
      send: (text) => this.send(text),
    }
    this.#tell({ type: 'following', you: id, pushes: this.#mayPush(), ...updates })
    this.#context.rooms.enter(document.id, this.#following, updates.revision)
    this.#tellHost(id)
  }

  #unfollow(): void {
    this.#asked++
    const document = this.#document
    if (this.#following && document) this.#context.rooms.leave(document.id, this.#following)
    this.#following = null
    this.#tellHost(null)
  }

  /** The owner sees who only reads, too. */
  #tellHost(follower: string | null): void {
    if (!this.guest || this.guest.person.follower === follower) return
    this.guest.person.follower = follower
    this.#context.live.renamed(this)
  }

  /** Who can’t tell it by change needn’t know who writes. */
  #mayFollow(): boolean {
    const { principal } = this.#task
    if (principal.kind === 'owner') return mayAlso(principal, 'suggestion.create')
    // Who suggests by typing writes in the text, too, as the others see it.
    return ['suggest', 'edit'].includes(accessOf(principal.link))
  }

  /** A guest whom nothing tells from others is first given a cookie, which can’t be set on an open connection. */
  #mayPush(): boolean {
    const { principal } = this.#task
    return principal.kind === 'owner' || !isGuest(principal) || principal.guestKey !== null
  }

  async #push({ type: _, ...change }: Say<'push'>, size: number): Promise<void> {
    const document = this.#document
    const following = this.#following
    const refuse = () => this.#tell({ type: 'refused', number: change.number })
    if (!document || !following || !this.#mayPush()) return refuse()
    const { rooms } = this.#context
    const { asker } = this.#task
    const pushing: Asker = {
      principal: () => asker.principal(),
      address: () => asker.address(),
      size: () => size,
    }
    const told = rooms.revisionOf(document.id) ?? 0
    try {
      const body = { ...change, client: following.client }
      const made = await perform(this.#context, pushChange, pushing, { id: document.id }, body)
      const own = made.updates.find((one) => one.changes === null && one.number === change.number)
      // It changes nothing.
      if (!own) return refuse()
      // What was made before is not told to the room again.
      if (own.revision <= told) this.#tell({ type: 'updates', ...made })
    } catch (error) {
      refuse()
      if (!explainError(error)) this.#context.onFailure(error)
    }
  }

  #place({ revision, at }: Say<'cursor'>): void {
    const document = this.#document
    if (document && this.#following) this.#context.rooms.place(document.id, this.#following, revision, at)
  }

  /** What a link, or a guest, is called and allows may have changed; whoever came by it hears what concerns them. */
  #look(now: Principal): void {
    const before = this.#principal
    this.#principal = now
    if (before.kind !== 'link' || now.kind !== 'link' || !this.guest) return
    if (accessOf(before.link) !== accessOf(now.link)) {
      if (!this.#mayFollow()) this.#unfollow()
      this.#tell({ type: 'changed', document_id: this.guest.person.document_id, what: 'permission' })
    }
    if (before.link.hides_people !== now.link.hides_people)
      this.#context.rooms.changed(this.guest.person.document_id)
    if (before.link.label !== now.link.label) {
      this.guest.person.link_label = now.link.label
      this.#context.live.renamed(this)
    }
    const given = givenName(this.#task, this.#context)
    if (given !== this.#givenName) {
      this.#givenName = given
      this.#call(this.guest)
    }
  }

  get #document() {
    return this.#task instanceof DocumentTask ? this.#task.document : null
  }

  #tell(message: LiveMessage): void {
    this.send(JSON.stringify(message))
  }
}

/** What somebody says, if it is anything; what is more than what is understood is passed over. */
function sayingOf(text: string): LiveSaying | null {
  try {
    const said = JSON.parse(text) as Record<string, unknown>
    const { type, name, since, client, revision, at, number } = said
    if (type === undefined && typeof name === 'string')
      return codePointLength(name.trim()) > limits.authorNameLength ? null : { name: shownName(name) }
    if (type === 'unfollow' || type === 'ping') return { type }
    if (type === 'follow' && isPlace(since) && typeof client === 'string' && clientName.test(client))
      return { type, since, client }
    // What the change itself says is looked at as by HTTP.
    if (type === 'push' && isPlace(number)) return said as Say<'push'>
    if (type === 'cursor' && isPlace(revision) && (at === null || isCursor(at)))
      return { type, revision, at: at && { anchor: at.anchor, head: at.head } }
  } catch {
    // It is nothing that can be understood.
  }
  return null
}

const clientName = new RegExp(clientIdPattern)
const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isCursor = (value: unknown): value is CursorPlace =>
  typeof value === 'object' &&
  value !== null &&
  isPlace((value as CursorPlace).anchor) &&
  isPlace((value as CursorPlace).head)

/** What the document’s owner calls a guest; null where they are called as they call themselves. */
function givenName(
  { principal, document }: { principal: Principal; document?: { number: number } },
  { store }: LiveListenerOptions['context'],
) {
  if (!isGuest(principal) || principal.kind !== 'link' || principal.guestKey === null || !document)
    return null
  return store.guests.calledBy(document.number, principal.guestKey) ?? null
}
