import { mayEndCredentials, type GalleyEvent } from '../contract/events.ts'
import { AtMostEvery } from './at-most-every.ts'
import { liveCodes, type LiveMessage, type PresentPerson } from '../contract/live.ts'
import { liveLimits } from '../contract/live-limits.ts'
import { SharedMessageLimit } from './message-limit.ts'

interface Guest {
  ownerId: string
  person: PresentPerson
  address: string
  /** Nothing has come from them yet: perhaps somebody in between lets nothing through, and they come another way. */
  isSilent?: boolean
}

/** One connection, as far as this folder cares: it knows neither sockets nor the database. */
export interface ConnectedClient {
  /** What to say of events to whoever is at the other end: nothing that they mustn’t know or needn’t. */
  about(events: readonly GalleyEvent[]): LiveMessage[]
  /** Whether they may still listen, asked again and again: the code to end with if not. */
  refusal(): number | null
  /** Whoever came by a link, for the owner of its document to see. */
  guest: Guest | null
  /** The account that is told who is there. */
  host: string | null
  send(text: string): void
  /** Asks for a sign of life; false if the last question wasn’t answered. */
  ping(): boolean
  end(code: number): void
}

/**
 * To more than so many all that happens within a while is told together, in milliseconds for each of them: what one of many
 * types is no news that each of the others has to hear of by itself.
 */
const few = 20
const pauseForEach = 0.5

export interface LiveTimes {
  /** How often it is asked whether each connection is still allowed, in ms. */
  check: number
  /** How often each is asked for a sign of life, in ms. */
  ping: number
}

export type Live = ReturnType<typeof createLive>

/**
 * Everybody who is connected now. A credential may end by any channel, also by another process, so each connection's is
 * looked at every second rather than when something was said to have ended it.
 */
export function createLive(
  /** Called when somebody comes where nobody was; what it returns is called when nobody is left. */
  begin: () => () => void = () => () => {},
  times: LiveTimes = { check: 1_000, ping: 30_000 },
) {
  const connections = new Set<ConnectedClient>()
  const said = new SharedMessageLimit()
  let isClosed = false
  let checking: NodeJS.Timeout | undefined
  let pinging: NodeJS.Timeout | undefined
  let end = () => {}

  /** What has happened that isn’t told yet. */
  let untold: GalleyEvent[] = []
  const telling = new AtMostEvery(
    () => {
      const events = untold
      untold = []
      for (const connection of [...connections])
        for (const message of connection.about(events)) say(connection, message)
    },
    () => (connections.size > few ? connections.size * pauseForEach : 0),
  )

  const drop = (connection: ConnectedClient, code: number) => {
    leave(connection)
    connection.end(code)
  }
  const present = (ownerId: string): PresentPerson[] =>
    [...connections].flatMap(({ guest }) =>
      guest?.ownerId === ownerId && !guest.isSilent ? [guest.person] : [],
    )
  const say = (connection: ConnectedClient, message: LiveMessage) => connection.send(JSON.stringify(message))
  const hostsOf = (ownerId: string) => [...connections].filter(({ host }) => host === ownerId)
  const tellHosts = (ownerId: string) => {
    const hosts = hostsOf(ownerId)
    if (hosts.length === 0) return
    const message: LiveMessage = { type: 'present', people: present(ownerId) }
    for (const host of hosts) say(host, message)
  }

  function check() {
    for (const connection of [...connections]) {
      const code = connection.refusal()
      if (code !== null) drop(connection, code)
    }
  }
  function ping() {
    for (const connection of [...connections]) if (!connection.ping()) drop(connection, liveCodes.goingAway)
  }
  function leave(connection: ConnectedClient) {
    if (!connections.delete(connection)) return
    if (connections.size === 0) {
      clearInterval(checking)
      clearInterval(pinging)
      end()
    }
    if (connection.guest && !connection.guest.isSilent) tellHosts(connection.guest.ownerId)
  }

  /** Ends the oldest connection of the visitor who has the most of these; false if there are none. */
  const replaceOne = (among: readonly ConnectedClient[]): boolean => {
    const visitors = Map.groupBy(among, ({ guest }) => guest?.address)
    const most = [...visitors.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    if (most[0]) drop(most[0], liveCodes.replaced)
    return most.length > 0
  }

  return {
    join(connection: ConnectedClient) {
      // Whoever was on the way meanwhile would never be told to go.
      if (isClosed) return connection.end(liveCodes.goingAway)
      if (connections.size === 0) {
        end = begin()
        checking = setInterval(check, times.check).unref()
        pinging = setInterval(ping, times.ping).unref()
      }
      connections.add(connection)
      if (connection.guest && !connection.guest.isSilent) tellHosts(connection.guest.ownerId)
      if (connection.host !== null) say(connection, { type: 'present', people: present(connection.host) })
    },
    leave,
    /** A guest has said how they want to be called, or anything for the first time. */
    renamed(connection: ConnectedClient) {
      if (connection.guest && connections.has(connection)) tellHosts(connection.guest.ownerId)
    },
    publish(events: readonly GalleyEvent[]) {
      if (connections.size === 0) return
      untold.push(...events)
      // What ends a credential ends its connections before they hear anything more.
      if (events.some(mayEndCredentials)) check()
      telling.call()
    },
    /** What is the matter with this Galley has changed. */
    publishProblems() {
      for (const connection of [...connections])
        if (connection.host !== null) say(connection, { type: 'problems' })
    },
    /**
     * Makes room for somebody who comes by a link: the newest get in, at the cost of the oldest connection of whoever
     * has the most. False where links have nothing to give.
     */
    makeRoom(linkId: string, address: string): boolean {
      const guests = () => [...connections].filter(({ guest }) => guest !== null)
      const ofLink = () => guests().filter(({ guest }) => guest!.person.link_id === linkId)
      const ofVisitor = () => ofLink().filter(({ guest }) => guest!.address === address)
      while (ofVisitor().length >= liveLimits.perVisitor) replaceOne(ofVisitor())
      while (ofLink().length >= liveLimits.perLink) replaceOne(ofLink())
      while (connections.size >= liveLimits.forLinks) if (!replaceOne(guests())) return false
      return true
    },
    /** Whether one more message is taken of who came by a link; `counts`: as how many. */
    takes: ({ person, address }: Guest, counts: number): boolean =>
      said.takes(person.link_id, address, counts),
    /** How many there are. */
    count: () => connections.size,
    present,
    close() {
      isClosed = true
      telling.stop()
      for (const connection of [...connections]) drop(connection, liveCodes.goingAway)
    },
  }
}
