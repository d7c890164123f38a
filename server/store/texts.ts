import { isHashOf } from '../domain/content-hash.ts'
import { PiecedText } from '../domain/pieced-text.ts'
import { unpacked, type KeptText } from '../threads/kept-text.ts'
import type { Bench } from '../threads/text-work.ts'
import type { Db } from './database.ts'
import type { AfterCommit, DeferredWrites } from './deferred-writes.ts'
import { HeldTexts, type TextName } from './held-texts.ts'
import { createKeyframePacking } from './keyframe-packing.ts'
import { keyframeStore, needsKeyframe, packedAtOnceFrom, type KeyframeMark } from './keyframes.ts'
import { LaggingKeyframes } from './lagging-keyframes.ts'
import { logStore } from './log.ts'
import { unlessUnreadable } from './readable.ts'
import type { Memory } from './memory.ts'
import { readKept, ReplayedTexts } from './replayed-texts.ts'

/** As much of a log, in bytes, is replayed to see whether a keyframe can go. */
const triedLog = 256 * 1024
/** So long a text may be for that while somebody waits for a save. */
const triedAtOnce = 256 * 1024

/**
 * The texts of documents. The newest keyframe of a document is written when nobody has changed it for a while; until
 * then its text is held in memory, or else made of the keyframe before and the log. What was read lately is held, too.
 */
export function textStore(
  db: Db,
  memory: Memory,
  deferred: DeferredWrites,
  afterCommit: AfterCommit,
  /** Told how many documents are damaged, as far as is known, whenever that is another number. */
  onDamage: (documents: number) => void = () => {},
) {
  const keyframes = keyframeStore(db)
  const log = logStore(db)
  const replayed = new ReplayedTexts(log, keyframes)
  const held = new HeldTexts(afterCommit)
  const lagging = new LaggingKeyframes(deferred, catchUp)
  const packing = createKeyframePacking(db, keyframes, deferred, afterCommit)
  const current = db.prepare<[number], TextName & { length: number; logged: number }>(
    'SELECT number, revision, hash, length, logged FROM documents WHERE number = ?',
  )

  const lastKeyframes = memory.lookup<KeyframeMark>(['keyframes'])

  /** Documents whose log doesn't lead to their newest revision. */
  const damaged = new Set<number>()
  /** Those of which an older text couldn't be read. */
  const lost = new Set<number>()
  const tellDamage = () => onDamage(new Set([...damaged, ...lost]).size)
  function noteDamage(number: number, among: Set<number>) {
    if (among.has(number)) return
    among.add(number)
    tellDamage()
  }
  function forgetDamage(number: number) {
    if (damaged.delete(number)) tellDamage()
  }
  /** Documents whose newest keyframe this process has looked at; those after it are its own. */
  const sound = new Set<number>()
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
      return length <= most && last.logged - before.logged <= triedLog && replayed.leads(number, before, last)
    })
    packing.packOlder(number)
  }

  function catchUp(number: number, atOnce: boolean): number {
    afterCommit(() => lagging.remove(number))
    const document = current.get(number)
    if (!document || keyframes.mark(number, document.revision)?.revision === document.revision) return 0
    const text = newest(document)
    if (damaged.has(number)) return text.length
    const ready = packing.takeNewest(document)
    if (text.length > packedAtOnceFrom && ready === null && !atOnce) {
      afterCommit(() => packing.packNewest(document, text.whole, () => lagging.addReady(number)))
      return text.length
    }
    const { revision, logged } = document
    addKeyframe(number, { revision, needed: 0, logged }, ready ?? text.whole, text.length)
    afterCommit(() => held.settle(document))
    return text.length
  }

  /** Whether a document's newest keyframe is the text that was saved; looked at once, since it takes as long as to read it. */
  function isSound({ number, hash }: TextName, text: string): boolean {
    if (sound.has(number)) return true
    if (!isHashOf(hash, text)) return false
    sound.add(number)
    return true
  }

  /** The text of a document as it is now; if its log is damaged, the newest one that can be read. */
  function newest(document: TextName & { length: number }): PiecedText {
    const { number, revision, hash, length } = document
    const here = held.find(document)
    if (here !== null) return here
    const kept = keyframes.find(number, revision)
    const whole = kept === undefined ? null : readKept(kept)
    if (whole?.length === length && isSound(document, whole)) {
      return hold(document, whole, true)
    }
    const text = unlessUnreadable(() => replayed.at(number, revision)) ?? null
    if (text !== null && isHashOf(hash, text)) {
      if (!lagging.has(number)) lagging.add(number)
      return hold(document, text, false)
    }
    // What couldn't be read this time may be there the next: nothing older is to be written on in its place.
    replayed.requireRead(number, revision)
    noteDamage(number, damaged)
    return PiecedText.of(replayed.lastReadable(number, revision))
  }

  function hold(document: TextName, whole: string, isSettled: boolean): PiecedText {
    const text = PiecedText.of(whole)
    held.hold(document, text, isSettled)
    return text
  }

  return {
    log,
    keyframes,
    newest,
    at(number: number, revision: number, bench?: Bench): string | null {
      const text = replayed.at(number, revision, bench)
      if (text === null && typeof log.find(number, revision)?.hash === 'number') noteDamage(number, lost)
      return text
    },
    /** Whether the newest text couldn't be read, as far as it was asked for. */
    isDamaged: (number: number) => damaged.has(number),
    /** A text that the log rests on. */
    keyframeAt(number: number, revision: number): string {
      const kept = keyframes.find(number, revision)
      if (kept === undefined) throw new Error(`The keyframe of revision ${revision} is missing`)
      return unpacked(kept)
    },
    /** Whether the text needs a keyframe with this change: otherwise too much would have to be replayed. */
    needsKeyframe: ({ number, revision }: TextName, logged: number, length: number) =>
      damaged.has(number) ||
      needsKeyframe(
        lastKeyframes(number, () => keyframes.mark(number, revision)),
        logged,
        length,
      ),
    /** A text as a keyframe that is written at once. */
    kept: (text: PiecedText, bench: Bench): KeptText =>
      text.length > packedAtOnceFrom ? bench('pack', text.whole) : text.whole,
    /** Has a new text written as a keyframe now. */
    keep(document: TextName, logged: number, needed: boolean, text: PiecedText, kept: KeptText) {
      const { number, revision } = document
      const isNeeded = needed || damaged.has(number)
      const mark: KeyframeMark = { revision, needed: isNeeded ? 1 : 0, logged }
      addKeyframe(number, mark, kept, text.length, triedAtOnce)
      held.hold(document, text, true)
      packing.forgetNewest(number)
      afterCommit(() => forgetDamage(number))
    },
    /** Keeps a new text in memory until it is written as a keyframe. */
    hold(document: TextName, text: PiecedText) {
      held.hold(document, text, false)
      afterCommit(() => lagging.add(document.number))
    },
    /** What its texts were is another thing now; the newest is the same. */
    forgetPast: (number: number) =>
      afterCommit(() => {
        held.release(number)
        packing.forget(number)
        tried.delete(number)
      }),
    /** The document is gone for good. */
    forgetDocument: (number: number) =>
      afterCommit(() => {
        held.release(number)
        forgetDamage(number)
        if (lost.delete(number)) tellDamage()
      }),
    /** Forgets what a transaction that was undone has left. */
    forget: () => held.forget(),
  }
}

export type Texts = ReturnType<typeof textStore>
