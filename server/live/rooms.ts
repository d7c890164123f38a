import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import type { CursorPlace } from '../contract/live.ts'
import { Agents, type AgentChange, type SeenAgent } from './agents.ts'
import { Room, type Follower, type RoomOptions } from './room.ts'

export interface RoomsOptions extends RoomOptions {
  /** What an agent has changed, if it is one that has. */
  agentChange?: (event: GalleyEvent) => AgentChange | null
}

export type Rooms = ReturnType<typeof createRooms>

/**
 * Everybody who follows a text, in a room for each text: they are told each change in order, and where the others are.
 * All in a room are told the same words, made once, however many they are.
 */
export function createRooms({ agentChange, ...options }: RoomsOptions) {
  const { onFailure } = options
  const rooms = new Map<string, Room>()
  const agents = new Agents((documentId) => rooms.get(documentId)?.tellAgents(agents.of(documentId)))
  const changeOf = (event: GalleyEvent) => {
    try {
      return agentChange?.(event) ?? null
    } catch (error) {
      onFailure(error)
      return null
    }
  }
  return {
    /**
     * From now on they are told what changes after the revision that they have come to. Who has come as the same client
     * before stays there no longer, and is told so.
     */
    enter(documentId: string, follower: Follower, revision: number) {
      const room = rooms.get(documentId) ?? new Room(documentId, revision, options)
      rooms.set(documentId, room)
      if (room.isEmpty) room.begin(revision, agents.of(documentId))
      room.enter(follower, revision)
    },
    leave(documentId: string, follower: Follower) {
      const room = rooms.get(documentId)
      room?.leave(follower)
      if (room?.isEmpty) rooms.delete(documentId)
    },
    /** They are called something else, or are seen by others now. */
    changed: (documentId: string) => rooms.get(documentId)?.tellPeople(),
    /** Whom one of those in a room sees, and where, in the text of that revision or a later one. */
    seenBy: (documentId: string, follower: Follower, revision: number) =>
      rooms.get(documentId)?.seenBy(follower, revision) ?? null,
    /** They say where they are. */
    place: (documentId: string, follower: Follower, revision: number, at: CursorPlace | null) =>
      rooms.get(documentId)?.place(follower, revision, at),
    /** The revision up to which all in a room have been told. */
    revisionOf: (documentId: string) => rooms.get(documentId)?.revision,
    /** An agent was let in to a document. */
    sawAgent: (documentId: string, agent: SeenAgent) => agents.saw(documentId, agent),
    hear(events: readonly GalleyEvent[]) {
      for (const event of events) {
        const change = changeOf(event)
        if (!change) continue
        agents.changed(change)
        rooms.get(change.documentId)?.placeAgent(change)
      }
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
      agents.close()
    },
  }
}
