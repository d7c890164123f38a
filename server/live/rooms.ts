import { ChangeSet } from '@codemirror/state'
import type { TextNews } from '../actions/changes.ts'
import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import type { CursorPlace, LivePerson, LiveText } from '../contract/live.ts'
import { Colours } from './colours.ts'
import { Throttle } from './throttle.ts'

/** Somebody who follows a text, as far as the others in its room matter. */
export interface Follower {
  /** How others know them, and the log their client. */
  readonly id: string
  /** Who they are, whatever page they have open; null where nothing tells. */
  readonly person: string | null
  name(): string | null
  readonly isOwner: boolean
  /** Whether recipients see them, and are seen by them. The owner sees everybody, and everybody the owner. */
  isSeen(): boolean
  send(text: string): void
}

export interface RoomsOptions {
  /** The changes of a text after a revision; null where they can’t be told. */
  read: (documentId: string, since: number) => TextNews | null
  onFailure: (error: unknown) => void
  now?: () => number
}

export type Rooms = ReturnType<typeof createRooms>

/** Places that were told in an older revision than this many changes ago are forgotten. */
const mostKept = 200
/** So many people are named; who is more is only counted by what they write. */
const mostNamed = 100
/**
 * In milliseconds for each follower: the more there are, the more changes are told them at one time. Two hundred and
 * fifty hear of changes twenty times a second.
 */
const pauses = { changes: 0.2, people: 4 }

/**
 * Everybody who follows a text, in a room for each text: they are told each change in order, and where the others are.
 * All in a room are told the same words, made once, however many they are.
 */
export function createRooms({ read, onFailure, now = () => performance.now() }: RoomsOptions) {
  const rooms = new Map<string, Room>()
  /** They outlive the rooms for a while: everybody may go and come back at one time. */
  const colours = new Map<string, Colours>()
  const coloursOf = (documentId: string) => {
    for (const [id, kept] of colours) if (!rooms.has(id) && kept.isEmpty) colours.delete(id)
    const known = colours.get(documentId) ?? new Colours(now)
    colours.set(documentId, known)
    return known
  }
  return {
    /**
     * From now on they are told what changes after the revision that they have come to. Who has come as the same client
     * before stays there no longer.
     */
    enter(documentId: string, follower: Follower, revision: number) {
      const begin = () => new Room(documentId, revision, { read, onFailure, colours: coloursOf(documentId) })
      const room = rooms.get(documentId) ?? begin()
      rooms.set(documentId, room)
      room.enter(follower, revision)
    },
    leave(documentId: string, follower: Follower) {
      const room = rooms.get(documentId)
      room?.leave(follower)
      if (room?.isEmpty) rooms.delete(documentId)
    },
    /** They are called something else, or are seen by others now. */
    changed: (documentId: string) => rooms.get(documentId)?.tellPeople(),
    /** They say where they are. */
    place: (documentId: string, follower: Follower, revision: number, at: CursorPlace | null) =>
      rooms.get(documentId)?.place(follower, revision, at),
    /** The revision up to which all in a room have been told. */
    revisionOf: (documentId: string) => rooms.get(documentId)?.revision,
    hear(events: readonly GalleyEvent[]) {
      if (rooms.size === 0) return
      const changed = new Set<string>()
      for (const { kind, documentId } of events) {
        const subject = subjectOf(kind)
        if (subject === 'everything') for (const id of rooms.keys()) changed.add(id)
        else if (subject === 'content' && documentId !== null) changed.add(documentId)
      }
      for (const id of changed) rooms.get(id)?.tellChanges()
    },
    close() {
      for (const room of rooms.values()) room.close()
      rooms.clear()
    },
  }
}

/** Those in a room who are told the same of each other. */
type Circle = 'owner' | 'seen' | 'unseen'
const circles: readonly Circle[] = ['owner', 'seen', 'unseen']

/** Somebody’s place in a room. */
interface Seat {
  follower: Follower
  colour: number
  /** Where they are in the text of the room’s revision. */
  at: CursorPlace | null
}

type RoomOptions = Pick<RoomsOptions, 'read' | 'onFailure'> & { colours: Colours }

class Room {
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
  readonly #changes = new Throttle(
    () => this.#tellChanges(),
    () => this.#seats.size * pauses.changes,
  )
  readonly #people = new Throttle(
    () => this.#tellPeople(),
    () => this.#seats.size * pauses.people,
  )

  constructor(id: string, revision: number, options: RoomOptions) {
    this.#id = id
    this.#revision = revision
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#seats.size === 0
  }
  get revision(): number {
    return this.#revision
  }

  enter(follower: Follower, revision: number): void {
    if (this.isEmpty) this.#beginAt(revision)
    // What was written between their asking and now: others may have been told already, or not yet.
    else if (revision > this.#revision) this.#tellChanges()
    if (revision < this.#revision) this.#sendTo([follower], this.#read(revision))
    const before = this.#seats.get(follower.id)
    const taken = new Set([...this.#seats.values()].map(({ colour }) => colour))
    const colour = before?.colour ?? this.#options.colours.take(namesOf(follower), taken)
    this.#seats.set(follower.id, { follower, colour, at: before?.at ?? null })
    this.tellPeople()
    const present = this.#seen(circleOf(follower)).filter(({ at }) => at !== null)
    if (present.length > 0) follower.send(this.#cursorsMessage(present))
  }

  #beginAt(revision: number): void {
    this.#revision = revision
    this.#length = undefined
    this.#recent = []
  }

  leave(follower: Follower): void {
    // Who has come again as the same client is another.
    const seat = this.#seats.get(follower.id)
    if (seat?.follower !== follower) return
    this.#stand(seat)
    if (this.isEmpty) this.close()
    else this.tellPeople()
  }

  #stand({ follower, colour }: Seat): void {
    this.#seats.delete(follower.id)
    this.#options.colours.keep(namesOf(follower), colour)
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
    this.#changes.call()
  }

  tellChanges(): void {
    this.#changes.call()
  }
  tellPeople(): void {
    this.#people.call()
  }

  close(): void {
    this.#changes.stop()
    this.#people.stop()
  }

  #tellChanges(): void {
    const news = this.#read(this.#revision)
    const isNew = news === null || news.revision > this.#revision
    if (isNew) this.#sendTo(this.#followers(), news)
    // Whoever is told that nothing leads there comes again from where they are then.
    if (news) this.#follow(news)
    else for (const seat of this.#seats.values()) this.#stand(seat)
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
    const textOf = (news: TextNews | null) => {
      const message: LiveText = news ? { type: 'updates', ...news } : { type: 'apart' }
      return JSON.stringify(message)
    }
    const text = textOf(news)
    let unnamed: string | undefined
    for (const follower of followers) {
      const isTold = circleOf(follower) !== 'unseen'
      follower.send(isTold ? text : (unnamed ??= textOf(news && withoutNames(news))))
    }
  }

  #follow({ revision, length, updates }: TextNews): void {
    this.#revision = revision
    this.#length = length
    for (const { revision: made, by, changes } of updates) {
      const change = { revision: made, by, changes: ChangeSet.fromJSON(changes) }
      for (const seat of this.#seats.values()) move(seat, change)
      this.#recent.push(change)
    }
    this.#recent = this.#recent.slice(-mostKept)
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
      const people = this.#seen(circle)
        .slice(0, mostNamed)
        .map(({ follower: { id, isOwner, name }, colour }): LivePerson => {
          return { id, name: name(), isOwner, colour }
        })
      const message: LiveText = { type: 'people', people }
      const text = JSON.stringify(message)
      for (const follower of followers) follower.send(text)
    }
  }

  #followers(circle?: Circle): Follower[] {
    const followers = [...this.#seats.values()].map(({ follower }) => follower)
    return circle === undefined ? followers : followers.filter((one) => circleOf(one) === circle)
  }

  /** Whom those of a circle see. */
  #seen(circle: Circle): Seat[] {
    const isSeen = (one: Follower) => circle === 'owner' || one.isOwner || (circle === 'seen' && one.isSeen())
    return [...this.#seats.values()].filter(({ follower }) => isSeen(follower))
  }
}

const namesOf = ({ id, person }: Follower) => (person === null ? [id] : [id, person])

const circleOf = (follower: Follower): Circle =>
  follower.isOwner ? 'owner' : follower.isSeen() ? 'seen' : 'unseen'

const withoutNames = ({ updates, ...news }: TextNews): TextNews => ({
  ...news,
  updates: updates.map((one) => ({ ...one, author: null })),
})

/** What somebody types themselves comes before their place, what others put in there after it. */
function move(seat: Seat, { by, changes }: { by: string | null; changes: ChangeSet }): void {
  if (seat.at === null) return
  const side = by === seat.follower.id ? 1 : -1
  const map = (at: number) => changes.mapPos(Math.min(at, changes.length), side)
  seat.at = { anchor: map(seat.at.anchor), head: map(seat.at.head) }
}
