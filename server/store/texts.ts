import { deflateRaw } from 'node:zlib'
import { contentHash } from '../domain/change-set.ts'
import { unpacked, type KeptText } from '../threads/kept-text.ts'
import { here, type Bench } from '../threads/text-work.ts'
import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import { keyframeStore, packedAtOnceFrom, replayRoom, type KeyframeMark } from './keyframes.ts'
import { logStore } from './log.ts'

/** What names a text of a document. */
interface TextName {
  number: number
  revision: number
  hash: number
}

/** As all that is packed. */
const packing = { level: 3 }
/** Texts held in memory, in UTF-16 units. */
const mostHeld = 16 * 1024 * 1024
/** One transaction's worth of keyframes that are written later. */
const batchCharacters = 1024 * 1024
/** As much of a log, in bytes, is replayed to see whether a keyframe can go. */
const triedLog = 256 * 1024
/** So long a text may be for that while somebody waits for a save. */
const triedAtOnce = 256 * 1024

/** null where it can't be unpacked. */
const readKept = (kept: KeptText) => here('replay', { kept, revision: 0, entries: [] })

/**
 * The texts of documents. The newest keyframe of a document is written when nobody has changed it for a while; until
 * then its text is here in memory, or else made of the keyframe before and the log.
 */
export function textStore(db: Db, deferred: DeferredWrites, afterCommit: (work: () => void) => void) {
  const keyframes = keyframeStore(db)
  const log = logStore(db)
  const current = db.prepare<[number], TextName & { length: number; logged: number }>(
    'SELECT number, revision, hash, length, logged FROM documents WHERE number = ?',
  )

  /** Newest texts that no keyframe has yet; those changed last come last. */
  const held = new Map<number, { revision: number; hash: number; text: string }>()
  let weight = 0
  function release(number: number) {
    weight -= held.get(number)?.text.length ?? 0
    held.delete(number)
  }
  /** Those of the transaction that is under way. */
  const uncommitted = new Set<number>()
  function hold({ number, revision, hash }: TextName, text: string) {
    release(number)
    uncommitted.add(number)
    afterCommit(() => uncommitted.delete(number))
    held.set(number, { revision, hash, text })
    weight += text.length
    for (const oldest of held.keys()) {
      if (weight <= mostHeld) break
      release(oldest)
    }
  }
  /** Documents whose newest keyframe lags behind, and whether they have changed since that was last looked at. */
  const lagging = new Map<number, boolean>()
  const later = deferred.add('keyframes', writeSome, { delay: 5_000 })
  function lag(number: number) {
    lagging.set(number, true)
    later.soon()
  }
  /** Documents whose log doesn't lead to their newest revision. */
  const damaged = new Set<number>()

  /** Documents whose log was tried once by this process; what it adds after that leads on by itself. */
  const tried = new Set<number>()
  /** Keeps a new text. Where the log before it is damaged, the keyframe that all later revisions are made from stays. */
  function addKeyframe(
    number: number,
    mark: KeyframeMark,
    content: KeptText,
    length: number,
    most = Infinity,
  ) {
    keyframes.add(number, mark, content, length, (before, last) => {
      if (tried.has(number)) return true
      afterCommit(() => tried.add(number))
      // Where that would take long it stays, too: then there is less to replay the next time.
      return length <= most && last.logged - before.logged <= triedLog && leads(number, before, last)
    })
  }
  /** Whether the log leads from one keyframe to another, or knows better what that should be. */
  function leads(number: number, { revision: from }: KeyframeMark, { revision: to }: KeyframeMark): boolean {
    const entries = log.replayed(number, from, to)
    const [kept, after] = [keyframes.find(number, from), keyframes.find(number, to)]
    if (entries === null || kept === undefined || after === undefined) return false
    const text = here('replay', { kept, revision: from, entries })
    const there = readKept(after)
    return text !== null && (there?.length !== text.length || there === text)
  }

  function writeSome(atOnce: boolean): boolean {
    let characters = 0
    for (const [number, changed] of lagging) {
      if (characters >= batchCharacters) return true
      if (changed && !atOnce) lagging.set(number, false)
      else characters += catchUp(number, atOnce)
    }
    if (!atOnce && lagging.size > 0) later.soon()
    return false
  }
  function catchUp(number: number, atOnce: boolean): number {
    afterCommit(() => lagging.delete(number))
    const document = current.get(number)
    if (!document || keyframes.mark(number, document.revision)?.revision === document.revision) return 0
    const text = newest(document, null)
    if (damaged.has(number)) return text.length
    const { revision, hash, logged } = document
    const ready = packed.get(number)
    packed.delete(number)
    const isReady = ready?.revision === revision && ready.hash === hash
    if (text.length > packedAtOnceFrom && !isReady && !atOnce) {
      afterCommit(() => packNewest(document, text))
      return text.length
    }
    addKeyframe(number, { revision, needed: 0, logged }, isReady ? ready.content : text, text.length)
    afterCommit(() => release(number))
    packLater(number)
    return text.length
  }

  /** Long texts that were packed on another thread, to be written as keyframes. */
  const packed = new Map<number, { revision: number; hash: number; content: Uint8Array }>()
  function packNewest({ number, revision, hash }: TextName, text: string) {
    deflateRaw(text, packing, (error, content) => {
      if (error || !db.open) return
      packed.set(number, { revision, hash, content })
      if (!lagging.has(number)) lagging.set(number, false)
      later.soon()
    })
  }

  /** Older keyframes are packed on another thread, and written then. */
  const olderPacked = deferred.addValues<{ number: number; revision: number; content: Uint8Array }>(
    'packed keyframes',
    (_key, { number, revision, content }) => keyframes.pack(number, revision, content),
    { most: 64 * 1024 * 1024, weigh: ({ content }) => content.length },
  )
  function packLater(number: number) {
    afterCommit(() => {
      for (const revision of keyframes.listUnpacked(number)) {
        const text = keyframes.find(number, revision) as string
        deflateRaw(text, packing, (error, content) => {
          if (!error && db.open) olderPacked.put(`${number} ${revision}`, { number, revision, content })
        })
      }
    })
  }

  /** The text of a document as it is now; if its log is damaged, the newest one that can be read. */
  function newest(document: TextName & { length: number }, kept: KeptText | null): string {
    const { number, revision, hash, length } = document
    const whole = kept === null ? null : readKept(kept)
    if (whole?.length === length) return whole
    const here = held.get(number)
    if (here?.revision === revision && here.hash === hash) return here.text
    const text = at(number, revision)
    if (text !== null && contentHash(text) === hash) {
      hold(document, text)
      if (!lagging.has(number)) lag(number)
      return text
    }
    damaged.add(number)
    return lastReadable(number, revision)
  }

  function at(number: number, revision: number, bench: Bench = here): string | null {
    const entry = log.find(number, revision)
    if (!entry) return null
    let replay = bench
    for (const { revision: from, content: kept } of keyframes.iterate(number, revision)) {
      const entries = log.replayed(number, from, revision)
      if (entries !== null) {
        const text = replay('replay', { kept, revision: from, entries })
        if (text?.length === entry.length) return text
      }
      // What leads around damage is seldom needed, and found here.
      replay = here
    }
    return null
  }

  function lastReadable(number: number, revision: number): string {
    for (const keyframe of [...keyframes.iterate(number, revision)]) {
      try {
        let text = unpacked(keyframe.content)
        for (const { base, revision: next } of log.since(number, keyframe.revision, revision)) {
          const after = log.replay(number, { revision: base, text }, next)
          if (after === null) break
          text = after
        }
        return text
      } catch {
        continue
      }
    }
    throw new Error(`Document ${number} has no text that can be read`)
  }

  return {
    log,
    keyframes,
    newest,
    /** The text as it was at any revision that the log has; null if it isn't known any more, or damaged. */
    at,
    /** A text that the log rests on. */
    keyframeAt(number: number, revision: number): string {
      const kept = keyframes.find(number, revision)
      if (kept === undefined) throw new Error(`The keyframe of revision ${revision} is missing`)
      return unpacked(kept)
    },
    /** Whether the text needs a keyframe with this change: otherwise too much would have to be replayed. */
    needsKeyframe: ({ number, revision }: TextName, logged: number, length: number) =>
      damaged.has(number) ||
      logged - (keyframes.mark(number, revision)?.logged ?? -Infinity) > replayRoom(length),
    /** A text as a keyframe that is written at once. */
    kept: (text: string, bench: Bench): KeptText =>
      text.length > packedAtOnceFrom ? bench('pack', text) : text,
    /** Has a new text written as a keyframe now. */
    keep({ number, revision }: TextName, logged: number, needed: boolean, text: string, kept: KeptText) {
      const isNeeded = needed || damaged.has(number)
      const mark: KeyframeMark = { revision, needed: isNeeded ? 1 : 0, logged }
      addKeyframe(number, mark, kept, text.length, triedAtOnce)
      release(number)
      packed.delete(number)
      afterCommit(() => damaged.delete(number))
      packLater(number)
    },
    /** Keeps a new text in memory until it is written as a keyframe. */
    hold(document: TextName, text: string) {
      hold(document, text)
      afterCommit(() => lag(document.number))
    },
    /** Forgets what a transaction that was undone has left. */
    forget() {
      for (const number of uncommitted) release(number)
      uncommitted.clear()
    },
  }
}

export type Texts = ReturnType<typeof textStore>
