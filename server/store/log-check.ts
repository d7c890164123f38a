import { applyChanges, changesFromJson, hunksFromJson } from '../domain/change-set.ts'
import { isHashOf } from '../domain/content-hash.ts'
import type { Db } from './database.ts'
import { unpacked } from '../threads/kept-text.ts'
import { keyframeStore, type KeyframeStore } from './keyframes.ts'
import { unlessUnreadable } from './readable.ts'
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
    const walk = new Walk(document, log, keyframes)
    walk.go()
    const known = unlessUnreadable(() => versions.all(document.number))
    return [
      ...walk.findings,
      ...checkNewest(document, walk),
      ...(known ? checkVersions(known, walk) : ['its versions can’t be read']),
    ]
  }
}

function checkNewest({ revision, hash, length }: CheckedDocument, { at, text, time }: Walk): string[] {
  if (at !== revision) return [`its log ends at revision ${at}, it is at ${revision}${said(time)}`]
  if (text === null) return []
  if (!isHashOf(hash, text)) return [`its text is not the one that was saved${said(time)}`]
  return text.length === length
    ? []
    : [`it is said to be ${length} characters long, and its text is ${text.length}`]
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
  /** Those whose hash isn't that of the text the log leads to: whether that text is right, a later hash says. */
  #doubted: LogEntry[] = []
  /** The first behind what can't be read of the log. */
  #behind: number | undefined
  readonly #document: CheckedDocument
  readonly #log: LogStore
  readonly #keyframes: KeyframeStore
  readonly #kept: Set<number>

  constructor(document: CheckedDocument, log: LogStore, keyframes: KeyframeStore) {
    this.#document = document
    this.#log = log
    this.#keyframes = keyframes
    const kept = unlessUnreadable(() => keyframes.listRevisions(document.number))
    if (kept === undefined) this.findings.push('its keyframes can’t be read')
    this.#kept = new Set(kept)
  }

  go() {
    const entries = this.#readable()
    const revisions = new Set(entries.map(({ revision }) => revision))
    if (this.#behind === undefined)
      for (const revision of this.#kept)
        if (!revisions.has(revision))
          this.findings.push(`its log has no revision ${revision}, but a keyframe of it`)
    for (let i = 0; i < entries.length; i++) {
      const stride = this.#strideOver(entries, i)
      if (stride > 0) i += stride - 1
      else this.#step(entries[i]!)
    }
    this.#end()
  }

  /** The entries that can be read. */
  #readable(): LogEntry[] {
    const { first, behind } = this.#log.readable(this.#document.number)
    if (behind === null) return first
    const last = first.at(-1)
    const after = last ? `after revision ${last.revision}${said(last.at)}` : 'from its beginning on'
    const until = behind[0] ? ` until ${behind[0].revision}${said(behind[0].at)}` : ''
    this.findings.push(`its log can’t be read ${after}${until}`)
    this.#behind = behind[0]?.revision ?? Infinity
    return [...first, ...behind]
  }

  /** Over entries between two keyframes, where these are too many for a text of this length; how many. */
  #strideOver(entries: readonly LogEntry[], from: number): number {
    if (this.text === null || this.#doubted.length > 0) return 0
    let end = from
    while (end < entries.length && entries[end]!.hash !== null && !this.#kept.has(entries[end]!.revision))
      end++
    if ((end - from) * this.text.length <= closely) return 0
    const text = this.#log.replay(
      this.#document.number,
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
    const { revision, base } = entry
    if (base !== this.at) {
      if (revision !== this.#behind)
        this.findings.push(`its log goes from revision ${this.at} to ${base}${said(this.time)}`)
      this.#lose(this.#doubted[0])
      this.text = null
    }
    this.#take(entry)
    this.at = revision
    this.time = entry.at
  }

  #take(entry: LogEntry) {
    const { revision, hash, at } = entry
    if (hash === null) {
      this.#lose(this.#doubted[0])
      this.text = null
      return
    }
    const keyframe = this.#kept.has(revision) ? this.#readKeyframe(entry) : undefined
    const isKept = typeof keyframe === 'string' && isHashOf(hash, keyframe)
    const after = this.#textAfter(entry, isKept ? keyframe : '')
    const isLedTo = after !== null && isHashOf(hash, after)
    // Where the log leads to what the keyframe holds, it is the hash that is another.
    if (keyframe !== undefined && !isKept && (isLedTo || keyframe === null || keyframe !== after))
      this.findings.push(`its keyframe of revision ${revision} is not the text that was saved${said(at)}`)
    if (isLedTo) this.#trust()
    else if (isKept) {
      if (this.text !== null) this.#lose(this.#doubted[0] ?? entry)
    } else if (after !== null) {
      this.#doubted.push(entry)
      this.text = after
      return
    } else if (this.text !== null) this.#lose(this.#doubted[0] ?? entry)
    this.text = isLedTo ? after : isKept ? keyframe : null
    if (this.text !== null) this.#find(entry)
  }

  /** The text is known from here on. */
  #find({ revision, length }: LogEntry) {
    this.lengths.set(revision, length)
    if (this.#lost === null) return
    const upTo =
      this.#lost.revision === revision
        ? `to revision ${revision}`
        : `from revision ${this.#lost.revision} to ${revision}`
    this.findings.push(`its log does not lead ${upTo}${said(this.#lost.at)}`)
    this.#lost = null
  }

  #lose(entry: LogEntry | undefined) {
    if (entry) this.#lost ??= entry
    this.#doubted = []
  }

  /** The log led to the right text through all that were doubted. */
  #trust() {
    for (const { revision, at } of this.#doubted)
      this.findings.push(`the hash of its revision ${revision} is not that of its text${said(at)}`)
    this.#doubted = []
  }

  #end() {
    const isNewest = this.at === this.#document.revision
    if (isNewest && this.text !== null && isHashOf(this.#document.hash, this.text)) this.#trust()
    this.#lose(this.#doubted[0])
    if (this.#lost)
      this.findings.push(
        `its log does not lead to revision ${this.#lost.revision} or any later${said(this.#lost.at)}`,
      )
  }

  /** What the entry makes of the text before, whatever its hash says; null if that isn't known, or it makes nothing of it. */
  #textAfter(entry: LogEntry, keyframe: string): string | null {
    if (this.text === null) return null
    try {
      const { length, newLength } = hunksFromJson(readLogged(entry.changes))
      if (length !== this.text.length || newLength !== entry.length) return null
      const changes = readComplete(entry.changes, () => keyframe)
      const after = applyChanges(this.text, changesFromJson(changes))
      return after.length === entry.length ? after : null
    } catch {
      return null
    }
  }

  /** null where it can't be read. */
  #readKeyframe({ revision }: LogEntry): string | null {
    try {
      return unpacked(this.#keyframes.find(this.#document.number, revision)!)
    } catch {
      return null
    }
  }
}
