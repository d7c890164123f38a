import { ChangeSet } from '@codemirror/state'
import { createHash } from 'node:crypto'
import { nobody, type TextNews } from '../actions/changes.ts'
import type { AuthorKind } from '../contract/records/authors.ts'
import type { CursorPlace, LivePerson, LiveText } from '../contract/live.ts'
import type { AgentChange, PresentAgent } from './agents.ts'
import { AtMostEvery } from './at-most-every.ts'

/** Somebody who follows a text, as far as the others in its room matter. */
export interface Follower {
  /** How others know them, and the log their client. */
  readonly id: string
  /** Who they are, as `personOf` has it, whatever page they have open; null where nothing tells. */
  readonly person: string | null
  name(): string | null
  readonly kind: AuthorKind
  /** The owner in person, whom everybody sees. */
  readonly isOwner: boolean
  /** Whether they see everybody, as the owner and the owner’s keys do. */
  readonly seesAll: boolean
  /** Which agent it is; null for who is none. */
  readonly agentId: string | null
  /** Of an agent that doesn’t follow the text, and is told nothing: what was seen of it. */
  readonly agent?: PresentAgent
  /** Whether recipients see them, and are seen by them. */
  isSeen(): boolean
  /** Whether they are told who has made a change. */
  isTold(): boolean
  send(text: string): void
}

/** Places that were told in an older revision than this many changes ago are forgotten. */
const mostKept = 200
/** So many people are named; who is more is only counted by what they write. */
const mostNamed = 100
/**
 * In milliseconds for each follower: the more there are, the more changes are told them at one time. Two hundred and
 * fifty hear of changes twenty times a second.
 */
const pauses = { changes: 0.2, people: 4 }
/** In milliseconds, between two tellings of places alone: whoever floods a room with these costs it no more. */
const placesApart = 20

/** Those in a room who are told the same of each other. */
type Circle = 'owner' | 'seen' | 'unseen'
const circles: readonly Circle[] = ['owner', 'seen', 'unseen']

/** Somebody’s place in a room. */
interface Seat {
  follower: Follower
  /** As it was told last. */
  colour: number
  /** Where they are in the text of the room’s revision. */
  at: CursorPlace | null
}

/** Which colours people have in a document. */
export interface Colours {
  meet(documentId: string, person: { name: string; isSeen: boolean }): number
  /** They are gone, and may come back soon. */
  left(documentId: string, name: string): void
}

export interface RoomOptions {
  /** The changes of a text after a revision; null where they can’t be told. */
  read: (documentId: string, since: number) => TextNews | null
  onFailure: (error: unknown) => void
  colours: Colours
}

/** Everybody who follows one text, with the agents that are at work in it. */
export class Room {
  /** Up to which all here have been told. */
  #revision: number
  /** Of the text of that revision, once it is known. */
  #length: number | undefined
  readonly #id: string
  readonly #options: RoomOptions
  readonly #seats = new Map<string, Seat>()
  /** Who has moved since others were told. */
  readonly #moved = new Set<string>()
  /** The last changes, for places that are told in the text before them. */
  #recent: { revision: number; by: string | null; changes: ChangeSet }[] = []
  /** The agents that were seen here lately. */
  #agents: readonly PresentAgent[] = []
  /** Revisions that agents have made and that nobody here was told of yet, with who did. */
  readonly #byAgents = new Map<number, string>()
  readonly #changes = new AtMostEvery(
    () => this.#tellChanges(),
    () => this.#seats.size * pauses.changes,
  )
  readonly #places = new AtMostEvery(
    () => this.#tellPlaces(),
    () => Math.max(placesApart, this.#seats.size * pauses.changes),
  )
  readonly #people = new AtMostEvery(
    () => this.#tellPeople(),
    () => this.#seats.size * pauses.people,
  )

  constructor(id: string, revision: number, options: RoomOptions) {
    this.#id = id
    this.#revision = revision
    this.#options = options
  }

  /** Whether nobody is here who is told anything. */
  get isEmpty(): boolean {
    for (const { follower } of this.#seats.values()) if (!follower.agent) return false
    return true
  }
  get revision(): number {
    return this.#revision
  }

  enter(follower: Follower, revision: number): void {
    // What was written between their asking and now: others may have been told already, or not yet.
    if (revision > this.#revision) this.#tellChanges()
    if (revision < this.#revision) this.#sendTo([follower], this.#read(revision))
    this.#seat(follower)
    if (follower.agentId !== null) this.#seatAgents()
    this.tellPeople()
    const present = this.#seen(circleOf(follower)).filter(({ at }) => at !== null)
    if (present.length > 0) follower.send(this.#cursorsMessage(present))
  }

  #seat(follower: Follower): Seat {
    const before = this.#seats.get(follower.id)
    const seat = { follower, colour: before?.colour ?? 0, at: before?.at ?? null }
    this.#seats.set(follower.id, seat)
    this.#colourOf(seat)
    // A call that was late may have taken the seat of a connection, which would hear nothing any more: it comes again.
    if (before && before.follower !== follower && !before.follower.agent) before.follower.send(apart)
    return seat
  }

  /** Somebody comes to where nobody was: what agents have changed lately is found in the text as they have it. */
  begin(revision: number, agents: readonly PresentAgent[]): void {
    this.#revision = revision
    this.#length = undefined
    this.#recent = []
    this.tellAgents(agents)
    for (const { id, last } of agents) {
      const seat = last && this.#seats.get(nameOfAgent(id))
      if (!seat || last.revision > revision) continue
      const since = last.at ? last.revision : last.revision - 1
      const news = since === revision ? null : this.#read(since)
      seat.at = last.at
      for (const { revision: made, changes: json } of news?.updates ?? []) {
        if (made > revision) break
        const changes = ChangeSet.fromJSON(json)
        if (!last.at && made === last.revision) seat.at = endOf(changes)
        else move(seat, { by: null, changes })
      }
    }
  }

  /** These agents are here now, and no others. */
  tellAgents(agents: readonly PresentAgent[]): void {
    this.#agents = agents
    this.#seatAgents()
    this.tellPeople()
  }

  /** One that follows the text has its place by that, and none beside it. */
  #seatAgents(): void {
    const following = new Set(this.#followers().map(({ agentId }) => agentId))
    const others = this.#agents.filter(({ id }) => !following.has(id))
    const names = new Set(others.map(({ id }) => nameOfAgent(id)))
    for (const seat of this.#seats.values())
      if (seat.follower.agent && !names.has(seat.follower.id)) this.#stand(seat)
    for (const agent of others) this.#seat(followerOf(agent))
  }

  #seatOfAgent(id: string): Seat | undefined {
    return [...this.#seats.values()].find(({ follower }) => follower.agentId === id)
  }

  /** An agent has changed something: that is where it is now. */
  placeAgent({ agent, revision, at }: AgentChange): void {
    const seat = this.#seatOfAgent(agent.id)
    if (!seat) return
    if (at) this.place(seat.follower, revision, at)
    else {
      this.#byAgents.set(revision, seat.follower.id)
      // What others were told before it was known who did it.
      this.#recent.forEach((one, i) => {
        if (one.revision !== revision) return
        this.#findAgent(revision, one.changes)
        for (const later of this.#recent.slice(i + 1)) move(seat, later)
        this.#byAgents.delete(revision)
        this.#changes.call()
      })
    }
  }

  leave(follower: Follower): void {
    // Who has come again as the same client is another.
    const seat = this.#seats.get(follower.id)
    if (seat?.follower !== follower) return
    this.#stand(seat)
    if (!this.isEmpty) {
      if (follower.agentId !== null) this.#seatAgents()
      return this.tellPeople()
    }
    for (const one of this.#seats.values()) this.#stand(one)
    this.close()
  }

  #stand({ follower }: Seat): void {
    this.#seats.delete(follower.id)
    const name = nameOf(follower)
    const isHere = [...this.#seats.values()].some((one) => nameOf(one.follower) === name)
    if (!isHere) this.#options.colours.left(this.#id, name)
  }

  /** Asked whenever it is told: who writes for the first time may have done so elsewhere. */
  #colourOf(seat: Seat): number {
    const person = { name: nameOf(seat.follower), isSeen: seat.follower.isSeen() }
    try {
      seat.colour = this.#options.colours.meet(this.#id, person)
    } catch (error) {
      this.#options.onFailure(error)
    }
    return seat.colour
  }

  place(follower: Follower, revision: number, at: CursorPlace | null): void {
    const seat = this.#seats.get(follower.id)
    if (seat?.follower !== follower) return
    // They may have heard of it before the room did.
    if (revision > this.#revision) this.#tellChanges()
    const oldest = this.#recent[0]?.revision ?? this.#revision + 1
    if (revision > this.#revision || revision < oldest - 1) return
    seat.at = at
    for (const change of this.#recent) if (change.revision > revision) move(seat, change)
    if (seat.at) seat.at = { anchor: this.#within(seat.at.anchor), head: this.#within(seat.at.head) }
    this.#moved.add(follower.id)
    this.#places.call()
  }

  tellChanges(): void {
    this.#changes.call()
  }
  tellPeople(): void {
    this.#people.call()
  }

  close(): void {
    this.#changes.stop()
    this.#places.stop()
    this.#people.stop()
  }

  #tellPlaces(): void {
    if (this.#moved.size > 0) this.#tellChanges()
  }

  #tellChanges(): void {
    const news = this.#read(this.#revision)
    const isNew = news === null || news.revision > this.#revision
    if (isNew) this.#sendTo(this.#followers(), news)
    // Whoever is told that nothing leads there comes again from where they are then.
    if (news) this.#follow(news)
    else
      for (const seat of this.#seats.values()) {
        if (seat.follower.agent) seat.at = null
        else this.#stand(seat)
      }
    this.#tellCursors()
  }

  #read(since: number): TextNews | null {
    try {
      return this.#options.read(this.#id, since)
    } catch (error) {
      this.#options.onFailure(error)
      return null
    }
  }

  #sendTo(followers: readonly Follower[], news: TextNews | null): void {
    const textOf = (news: TextNews | null) =>
      news ? JSON.stringify({ type: 'updates', ...news } satisfies LiveText) : apart
    const text = textOf(news)
    let unnamed: string | undefined
    for (const follower of followers) {
      if (follower.isTold() || !news) follower.send(text)
      // What one has made oneself one knows again.
      else if (news.updates.some(({ by }) => by === follower.id))
        follower.send(textOf(withoutNames(news, follower.id)))
      else follower.send((unnamed ??= textOf(withoutNames(news))))
    }
  }

  #follow({ revision, length, updates }: TextNews): void {
    this.#revision = revision
    this.#length = length
    for (const { revision: made, by, changes } of updates) {
      const change = { revision: made, by, changes: ChangeSet.fromJSON(changes) }
      for (const seat of this.#seats.values()) move(seat, change)
      this.#recent.push(change)
      this.#findAgent(made, change.changes)
    }
    for (const made of this.#byAgents.keys()) if (made <= revision) this.#byAgents.delete(made)
    this.#recent = this.#recent.slice(-mostKept)
  }

  /** An agent is where it has changed the text. */
  #findAgent(revision: number, changes: ChangeSet): void {
    const seat = this.#seats.get(this.#byAgents.get(revision) ?? '')
    if (!seat) return
    seat.at = endOf(changes)
    this.#moved.add(seat.follower.id)
  }

  /** A place that the text has: who tells of another may be told so by nobody. */
  #within(place: number): number {
    this.#length ??= this.#read(this.#revision)?.length ?? 0
    return Math.min(place, this.#length)
  }

  #tellCursors(): void {
    if (this.#moved.size === 0) return
    const moved = new Set(this.#moved)
    this.#moved.clear()
    for (const circle of circles) {
      const followers = this.#followers(circle)
      const seen = this.#seen(circle).filter(({ follower }) => moved.has(follower.id))
      if (followers.length === 0 || seen.length === 0) continue
      const text = this.#cursorsMessage(seen)
      for (const follower of followers) follower.send(text)
    }
  }

  #cursorsMessage(seats: readonly Seat[]): string {
    const cursors = seats.map(({ follower, at }) => ({ person: follower.id, at }))
    const message: LiveText = { type: 'cursors', revision: this.#revision, cursors }
    return JSON.stringify(message)
  }

  #tellPeople(): void {
    for (const circle of circles) {
      const followers = this.#followers(circle)
      if (followers.length === 0) continue
      const message: LiveText = { type: 'people', people: this.#named(circle) }
      const text = JSON.stringify(message)
      for (const follower of followers) follower.send(text)
    }
  }

  #named(circle: Circle): LivePerson[] {
    return this.#seen(circle)
      .slice(0, mostNamed)
      .map((seat) => {
        const { id, kind, isOwner, name, agentId } = seat.follower
        const agent = agentId === null ? {} : { agent: this.#whatDoes(agentId) }
        return { id, name: name(), kind, isOwner, colour: this.#colourOf(seat), ...agent }
      })
  }

  /** Whom a follower sees, and where they are, all at once. */
  seenBy(follower: Follower, revision: number) {
    // Whoever asks may have heard of it before the room did.
    if (revision > this.#revision) this.#tellChanges()
    const circle = circleOf(follower)
    const cursors = this.#seen(circle).flatMap(({ follower: { id }, at }) => (at ? [{ person: id, at }] : []))
    return { people: this.#named(circle), revision: this.#revision, cursors }
  }

  #whatDoes(agentId: string): 'writing' | 'here' {
    return this.#agents.some(({ id, isWriting }) => id === agentId && isWriting) ? 'writing' : 'here'
  }

  #followers(circle?: Circle): Follower[] {
    const followers = [...this.#seats.values()].flatMap(({ follower }) => (follower.agent ? [] : [follower]))
    return circle === undefined ? followers : followers.filter((one) => circleOf(one) === circle)
  }

  /** Whom those of a circle see. */
  #seen(circle: Circle): Seat[] {
    const isSeen = (one: Follower) => circle === 'owner' || one.isOwner || (circle === 'seen' && one.isSeen())
    return [...this.#seats.values()].filter(({ follower }) => isSeen(follower))
  }
}

/** How others know an agent: it says nothing of its key or link. */
const nameOfAgent = (id: string) =>
  `agent-${createHash('sha256').update(id).digest('base64url').slice(0, 22)}`

const followerOf = (agent: PresentAgent): Follower => ({
  ...{ id: nameOfAgent(agent.id), person: agent.person, kind: 'agent', isOwner: false, seesAll: false },
  ...{ agentId: agent.id, agent },
  name: () => agent.name,
  isSeen: () => agent.isSeen,
  isTold: () => false,
  send: () => {},
})

const apart = JSON.stringify({ type: 'apart' } satisfies LiveText)

/** Where a change ends in the text that it makes. */
function endOf(changes: ChangeSet): CursorPlace {
  let end = 0
  changes.iterChangedRanges((_fromA, _toA, _fromB, toB) => (end = toB))
  return { anchor: end, head: end }
}

const nameOf = ({ id, person }: Follower) => person ?? id

const circleOf = (follower: Follower): Circle =>
  follower.seesAll ? 'owner' : follower.isSeen() ? 'seen' : 'unseen'

/** Without what says who has made which changes, as their steps do: only one’s own are known. */
const withoutNames = ({ updates, ...news }: TextNews, own?: string): TextNews => ({
  ...news,
  updates: updates.map(({ steps: _, ...one }) => ({ ...one, by: one.by === own ? one.by : null, ...nobody })),
})

/** What somebody types themselves comes before their place, what others put in there after it. */
function move(seat: Seat, { by, changes }: { by: string | null; changes: ChangeSet }): void {
  if (seat.at === null) return
  const side = by === seat.follower.id ? 1 : -1
  const map = (at: number) => changes.mapPos(Math.min(at, changes.length), side)
  seat.at = { anchor: map(seat.at.anchor), head: map(seat.at.head) }
}
