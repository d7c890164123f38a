import type { CursorPlace } from '../contract/live.ts'

/** An agent that was let in to a document, as those see it who have the text open. */
export interface SeenAgent {
  /** Who it is, whatever it does. */
  id: string
  /** Who it is, as `personOf` has it; null where that isn’t known. */
  person: string | null
  name: string
  /** Whether recipients see it. The owner sees every agent. */
  isSeen: boolean
}

/** Something that an agent has changed, in the text or beside it. */
export interface AgentChange {
  agent: SeenAgent
  documentId: string
  /** Of the text, after it. */
  revision: number
  /** Where in that text; null for what that revision itself has changed. */
  at: CursorPlace | null
}

/** So long after it was seen last an agent is shown as here, and after it has changed something as writing, in ms. */
const hereFor = 45_000
const writingFor = 6_000
/** Of one document; of more that come those that were seen longest ago are forgotten. */
const most = 20

export interface PresentAgent extends SeenAgent {
  isWriting: boolean
  /** What it has changed last. */
  last: Pick<AgentChange, 'revision' | 'at'> | null
}

interface AgentPresence {
  agent: PresentAgent
  seenAt: number
  wroteAt: number
  timer?: NodeJS.Timeout
}

/**
 * Which agents have read or written in a document lately. They come and go with each call, so that who is there is what
 * was seen of them a moment ago. Nothing of it is stored.
 */
export class Agents {
  readonly #documents = new Map<string, Map<string, AgentPresence>>()
  readonly #onChange: (documentId: string) => void

  /** @param onChange told when another agent is there, or one does something else */
  constructor(onChange: (documentId: string) => void) {
    this.#onChange = onChange
  }

  of(documentId: string): PresentAgent[] {
    return [...(this.#documents.get(documentId)?.values() ?? [])].map(({ agent }) => agent)
  }

  saw(documentId: string, seen: SeenAgent): void {
    this.#note(documentId, seen, null)
  }

  changed({ documentId, agent, revision, at }: AgentChange): void {
    this.#note(documentId, agent, { revision, at })
  }

  close(): void {
    for (const agents of this.#documents.values())
      for (const { timer } of agents.values()) clearTimeout(timer)
    this.#documents.clear()
  }

  #note(documentId: string, seen: SeenAgent, change: PresentAgent['last']): void {
    const agents = this.#documents.get(documentId) ?? new Map<string, AgentPresence>()
    this.#documents.set(documentId, agents)
    const before = agents.get(seen.id)
    clearTimeout(before?.timer)
    const now = performance.now()
    const agent: PresentAgent = {
      ...seen,
      person: seen.person ?? before?.agent.person ?? null,
      isWriting: change !== null || before?.agent.isWriting === true,
      last: change ?? before?.agent.last ?? null,
    }
    const entry: AgentPresence = {
      agent,
      seenAt: now,
      wroteAt: change ? now : (before?.wroteAt ?? -Infinity),
    }
    // The last that was seen stands at the end.
    agents.delete(seen.id)
    agents.set(seen.id, entry)
    this.#wait(documentId, entry)
    for (const [id, { timer }] of agents) {
      if (agents.size <= most) break
      clearTimeout(timer)
      agents.delete(id)
    }
    const isOther = (['isWriting', 'name', 'isSeen', 'person'] as const).some(
      (of) => before?.agent[of] !== agent[of],
    )
    if (isOther) this.#onChange(documentId)
  }

  /** Until it has stopped writing, or has gone. */
  #wait(documentId: string, entry: AgentPresence): void {
    const { seenAt, wroteAt, agent } = entry
    const end = agent.isWriting ? wroteAt + writingFor : seenAt + hereFor
    const left = Math.max(0, end - performance.now())
    entry.timer = setTimeout(() => this.#fade(documentId, entry), left).unref()
  }

  #fade(documentId: string, entry: AgentPresence): void {
    const agents = this.#documents.get(documentId)
    if (entry.agent.isWriting) {
      entry.agent = { ...entry.agent, isWriting: false }
      this.#wait(documentId, entry)
    } else {
      agents?.delete(entry.agent.id)
      if (agents?.size === 0) this.#documents.delete(documentId)
    }
    this.#onChange(documentId)
  }
}
