import { applyChanges, changesFromJson, hunksFromJson } from '../domain/change-set.ts'
import { isHashOf } from '../domain/content-hash.ts'
import type { Db } from './database.ts'
import { unpacked } from '../threads/kept-text.ts'
import { keyframeStore, type KeyframeStore } from './keyframes.ts'
import { logStore, readComplete, readLogged, type LogEntry, type LogStore } from './log.ts'

export interface CheckedDocument {
  number: number
  id: string
  title: string
  revision: number
  length: number
  indexed: 0 | 1
  hash: number
}

/** So many characters are compared revision by revision; where it would be more, the log is replayed in strides. */
const closely = 50_000_000

/**
 * Replays the log of each document from nothing on. Every keyframe must be the text that the log leads to, and every
 * version one whose text is known. Where the log is damaged, this says since when, and up to when.
 */
export function logCheck(db: Db): (document: CheckedDocument) => string[] {
  const keyframes = keyframeStore(db)
  const log = logStore(db)
  const versions = db.prepare<[number], { revision: number; size: number }>(
    'SELECT revision, size FROM versions WHERE document = ? ORDER BY revision',
  )
  return (document) => {
    const walk = new Walk(document.number, log, keyframes)
    walk.go()
    return [
      ...walk.findings,
      ...checkNewest(document, walk),
      ...checkVersions(versions.all(document.number), walk),
    ]
  }
}

function checkNewest({ revision, hash }: CheckedDocument, { at, text, time }: Walk): string[] {
  if (at !== revision) return [`its log ends at revision ${at}, it is at ${revision}${said(time)}`]
  return text !== null && !isHashOf(hash, text) ? [`its text is not the one that was saved${said(time)}`] : []
}

/** When a revision was made. */
const said = (time: number | undefined) =>
  time === undefined ? '' : ` (${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC)`

function checkVersions(versions: { revision: number; size: number }[], { lengths }: Walk): string[] {
  if (versions.length === 0) return ['it has no version']
  return versions.flatMap(({ revision, size }) => {
    const length = lengths.get(revision)
    if (length === undefined) return [`version ${revision} has lost its text`]
    return length === size ? [] : [`version ${revision} has another length than it was saved with`]
  })
}

class Walk {
  at = 0
  /** When that revision was made. */
  time: number | undefined
  /** null while it isn't known. */
  text: string | null = ''
  /** Of each text that is known. */
  readonly lengths = new Map<number, number>()
  readonly findings: string[] = []
  /** The first revision that the log doesn't lead to, until it does again. */
  #lost: LogEntry | null = null
  readonly #document: number
  readonly #log: LogStore
  readonly #keyframes: KeyframeStore
  readonly #kept: Set<number>

  constructor(document: number, log: LogStore, keyframes: KeyframeStore) {
    this.#document = document
    this.#log = log
    this.#keyframes = keyframes
    this.#kept = new Set(keyframes.listRevisions(document))
  }

  go() {
    const entries = this.#log.since(this.#document, 0)
    const revisions = new Set(entries.map(({ revision }) => revision))
    for (const revision of this.#kept)
      if (!revisions.has(revision))
        this.findings.push(`its log has no revision ${revision}, but a keyframe of it`)
    for (let i = 0; i < entries.length; i++) {
      const stride = this.#strideOver(entries, i)
      if (stride > 0) i += stride - 1
      else this.#step(entries[i]!)
    }
    if (this.#lost)
      this.findings.push(
        `its log does not lead to revision ${this.#lost.revision} or any later${said(this.#lost.at)}`,
      )
  }

  /** Over entries between two keyframes, where these are too many for a text of this length; how many. */
  #strideOver(entries: readonly LogEntry[], from: number): number {
    if (this.text === null) return 0
    let end = from
    while (end < entries.length && entries[end]!.hash !== null && !this.#kept.has(entries[end]!.revision))
      end++
    if ((end - from) * this.text.length <= closely) return 0
    const text = this.#log.replay(
      this.#document,
      { revision: this.at, text: this.text },
      entries[end - 1]!.revision,
    )
    if (text === null) return 0
    for (const { revision, length } of entries.slice(from, end)) this.lengths.set(revision, length)
    this.at = entries[end - 1]!.revision
    this.time = entries[end - 1]!.at
    this.text = text
    return end - from
  }

  #step(entry: LogEntry) {
    const { revision, base, hash, length } = entry
    if (base !== this.at) {
      this.findings.push(`its log goes from revision ${this.at} to ${base}${said(this.time)}`)
      this.text = null
    }
    const wasKnown = this.text !== null
    this.text = hash === null ? null : this.#textAfter(entry)
    this.at = revision
    this.time = entry.at
    if (this.text !== null) {
      this.lengths.set(revision, length)
      if (this.#lost)
        this.findings.push(
          `its log does not lead from revision ${this.#lost.revision} to ${revision}${said(this.#lost.at)}`,
        )
      this.#lost = null
    } else if (wasKnown && hash !== null) this.#lost = entry
  }

  /** null if it isn't known, or the entry doesn't lead to what it says. */
  #textAfter(entry: LogEntry): string | null {
    try {
      const keyframe = this.#kept.has(entry.revision) ? this.#readKeyframe(entry) : null
      if (this.text === null) return keyframe
      const { length, newLength } = hunksFromJson(readLogged(entry.changes))
      if (length !== this.text.length || newLength !== entry.length) return null
      const changes = readComplete(entry.changes, () => keyframe ?? '')
      const after = applyChanges(this.text, changesFromJson(changes))
      return isHashOf(entry.hash, after) && (keyframe ?? after) === after ? after : null
    } catch {
      return null
    }
  }

  #readKeyframe({ revision, hash, at }: LogEntry): string | null {
    let text: string | null = null
    try {
      text = unpacked(this.#keyframes.find(this.#document, revision)!)
    } catch {
      // Said below.
    }
    if (text !== null && isHashOf(hash, text)) return text
    this.findings.push(`its keyframe of revision ${revision} is not the text that was saved${said(at)}`)
    return null
  }
}
