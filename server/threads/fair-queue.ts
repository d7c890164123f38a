/** Guests have asked for more than can wait; later there is room again. */
export class QueueFull extends Error {
  constructor() {
    super('too much waits to be done')
  }
}

/** For whom a job is done. */
export interface Turn {
  /** Documents share the workers evenly, and within each those who ask. */
  document: string
  /** The link that asked, or the owner. */
  member: string
  /** Whose jobs are bounded in number and size. */
  guest: boolean
}

export interface Queued {
  turn: Turn
  /** Characters that the job holds while it waits. */
  size: number
}

/** How much guests may have waiting. */
export interface QueueLimits {
  /** Jobs of one member, and of all. */
  perMember: number
  inAll: number
  /** Characters of one member's jobs, and of all. */
  sizePerMember: number
  sizeInAll: number
}

const usualLimits: QueueLimits = {
  perMember: 32,
  inAll: 256,
  sizePerMember: 24 * 1024 * 1024,
  sizeInAll: 48 * 1024 * 1024,
}

/** From so much time used lately on, a document's jobs are slow ones. */
const slowMs = 400
/** Time that was used counts half after so long. */
const halfLifeMs = 10_000

/**
 * Jobs that wait, in an order that is fair: the next one is of the document that has used the least time lately, and
 * of that one's member that has. So whoever asks for much waits behind those who ask for little, and nobody else does.
 * One job of each document runs at a time.
 */
export class FairQueue<Job extends Queued> {
  readonly #limits: QueueLimits
  readonly #used: TimeUsed
  readonly #waiting = new Map<string, Map<string, Job[]>>()
  readonly #running = new Set<string>()

  constructor(now: () => number, limits: Partial<QueueLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits }
    this.#used = new TimeUsed(now)
  }

  /** Adds a job; where that is too much, the jobs that must go: this one, or those of guests who have more waiting. */
  add(job: Job): Job[] {
    const { document, member, guest } = job.turn
    if (guest) {
      const own = loadOf(this.#of(document, member))
      const { perMember, sizePerMember } = this.#limits
      if (own.count >= perMember || (own.count > 0 && own.size + job.size > sizePerMember)) return [job]
    }
    this.#put(job)
    const dropped: Job[] = []
    // The latest of who has most may be small, and then makes too little room.
    while (guest && !dropped.includes(job) && this.#hasTooMuch()) dropped.push(this.#dropOne(job))
    return dropped
  }

  #hasTooMuch(): boolean {
    const { count, size } = loadOf(this.guestsJobs())
    return count > this.#limits.inAll || (count > 1 && size > this.#limits.sizeInAll)
  }

  /** The next job, which counts as running from then on; `slowToo` says whether it may be of a document that uses much. */
  take(slowToo: boolean): Job | undefined {
    const documents = [...this.#waiting.keys()].filter(
      (document) => !this.#running.has(document) && (slowToo || !this.isSlow(document)),
    )
    const document = this.#used.least(documents)
    if (document === undefined) return undefined
    const members = this.#waiting.get(document)!
    const member = this.#used.least([...members.keys()], (name) => memberKey(document, name))!
    const jobs = members.get(member)!
    const job = jobs.shift()!
    if (jobs.length === 0) members.delete(member)
    if (members.size === 0) this.#waiting.delete(document)
    this.#running.add(document)
    return job
  }

  /** A job that was taken has ended after so long. */
  ended({ document, member }: Turn, ms: number): void {
    this.#running.delete(document)
    // Even what took no time was a turn.
    this.#used.add(document, Math.max(ms, 1))
    this.#used.add(memberKey(document, member), Math.max(ms, 1))
  }

  /** Whether a document has used much time lately. */
  isSlow(document: string): boolean {
    return this.#used.of(document) > slowMs
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  *jobs(): Iterable<Job> {
    for (const members of this.#waiting.values()) for (const jobs of members.values()) yield* jobs
  }

  /** Takes all out. */
  clear(): Job[] {
    const all = [...this.jobs()]
    this.#waiting.clear()
    return all
  }

  *guestsJobs(): Iterable<Job> {
    for (const job of this.jobs()) if (job.turn.guest) yield job
  }

  #of(document: string, member: string): readonly Job[] {
    return this.#waiting.get(document)?.get(member) ?? []
  }

  #put(job: Job): void {
    const { document, member } = job.turn
    const members = this.#waiting.get(document) ?? new Map<string, Job[]>()
    this.#waiting.set(document, members)
    const jobs = members.get(member) ?? []
    members.set(member, jobs)
    jobs.push(job)
  }

  /** Takes out the latest job of the guest who has the most waiting; of equals, of the one who came last. */
  #dropOne({ turn }: Job): Job {
    let most: { jobs: Job[]; size: number; count: number } | null = null
    const consider = (jobs: Job[]) => {
      const load = loadOf(jobs)
      if (jobs.length === 0 || !jobs[0]!.turn.guest) return
      const over = !most || load.size > most.size || (load.size === most.size && load.count > most.count)
      if (over) most = { jobs, ...load }
    }
    consider(this.#waiting.get(turn.document)!.get(turn.member)!)
    for (const members of this.#waiting.values()) for (const jobs of members.values()) consider(jobs)
    const dropped = most!.jobs.at(-1)!
    this.#take(dropped)
    return dropped
  }

  #take(job: Job): void {
    const { document, member } = job.turn
    const members = this.#waiting.get(document)!
    const left = members.get(member)!.filter((one) => one !== job)
    if (left.length > 0) members.set(member, left)
    else members.delete(member)
    if (members.size === 0) this.#waiting.delete(document)
  }
}

const memberKey = (document: string, member: string) => `${document}\n${member}`

function loadOf(jobs: Iterable<Queued>): { count: number; size: number } {
  let count = 0
  let size = 0
  for (const job of jobs) {
    count++
    size += job.size
  }
  return { count, size }
}

/** How much time each has used lately. */
class TimeUsed {
  readonly #now: () => number
  readonly #used = new Map<string, { ms: number; at: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  of(key: string): number {
    const used = this.#used.get(key)
    const ms = used ? used.ms * 0.5 ** ((this.#now() - used.at) / halfLifeMs) : 0
    return ms < 1 ? 0 : ms
  }

  add(key: string, ms: number): void {
    this.#used.set(key, { ms: this.of(key) + ms, at: this.#now() })
    if (this.#used.size <= 2_000) return
    for (const one of this.#used.keys()) if (this.of(one) === 0) this.#used.delete(one)
    // Ten minutes of nothing but newcomers: those that came first are forgotten.
    for (const one of this.#used.keys()) {
      if (this.#used.size <= 2_000) break
      this.#used.delete(one)
    }
  }

  /** The one that has used the least; of equals the first. */
  least(names: readonly string[], keyOf: (name: string) => string = (name) => name): string | undefined {
    let best: { name: string; used: number } | undefined
    for (const name of names) {
      const used = this.of(keyOf(name))
      if (!best || used < best.used) best = { name, used }
    }
    return best?.name
  }
}
