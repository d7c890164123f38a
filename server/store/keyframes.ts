import type { KeptText } from '../threads/kept-text.ts'
import type { Db } from './database.ts'
import { unlessUnreadable } from './readable.ts'

export interface Keyframe {
  revision: number
  content: KeptText
}
/** A keyframe without its text. */
export interface KeyframeMark {
  revision: number
  /** Whether the log rests on it: an entry leaves out what it holds. */
  needed: 0 | 1
  /** What the log up to its revision costs to replay. */
  logged: number
}

/** Below this many bytes a text is kept as it is: packing it would save little. */
const packedFrom = 8 * 1024
/** From here on the newest text, too, is packed: to write it would take longer than to unpack it. */
export const packedAtOnceFrom = 4 * 1024 * 1024

/** What may be replayed from one keyframe on: about as much as the text is long. */
export const replayRoom = (length: number) => Math.max(64 * 1024, length)
/**
 * Whether a text needs a keyframe of its own, as otherwise too much would have to be replayed.
 * @param last the newest before it
 * @param logged what the log up to the text costs to replay
 */
export const needsKeyframe = (last: KeyframeMark | undefined, logged: number, length: number) =>
  logged - (last?.logged ?? -Infinity) > replayRoom(length)

/** Whole texts of documents: the newest for reading, older ones from which the revisions after them are made. */
export function keyframeStore(db: Db) {
  const insert = db.prepare<[number, number, number, number, KeptText]>(
    'INSERT OR REPLACE INTO keyframes (document, revision, needed, logged, content) VALUES (?, ?, ?, ?, ?)',
  )
  const newest = db.prepare<[number, number], KeyframeMark>(
    `SELECT revision, needed, logged FROM keyframes WHERE document = ? AND revision <= ?
     ORDER BY revision DESC LIMIT 2`,
  )
  const upTo = db
    .prepare<[number, number], number>(
      'SELECT revision FROM keyframes WHERE document = ? AND revision <= ? ORDER BY revision DESC',
    )
    .pluck()
  const at = db
    .prepare<[number, number], KeptText>('SELECT content FROM keyframes WHERE document = ? AND revision = ?')
    .pluck()
  const revisions = db
    .prepare<[number], number>('SELECT revision FROM keyframes WHERE document = ? ORDER BY revision')
    .pluck()
  const remove = db.prepare('DELETE FROM keyframes WHERE document = ? AND revision = ?')
  const unpackedOnes = db
    .prepare<[number], number>(
      `SELECT revision FROM keyframes k WHERE document = ? AND typeof(content) = 'text'
       AND octet_length(content) > ${packedFrom}
       AND revision < (SELECT max(revision) FROM keyframes WHERE document = k.document)`,
    )
    .pluck()
  const pack = db.prepare<[Uint8Array, number, number]>(
    `UPDATE keyframes SET content = ? WHERE document = ? AND revision = ? AND typeof(content) = 'text'`,
  )

  const read = (document: number, revision: number) => at.get(document, revision)
  const find = (document: number, revision: number) => unlessUnreadable(() => read(document, revision))

  return {
    /** The newest up to a revision, without its text. */
    mark: (document: number, revision: number) => newest.get(document, revision),
    listRevisions: (document: number) => revisions.all(document),
    /** From the newest up to a revision on backwards, those that can be read. */
    *iterate(document: number, upToRevision: number): Generator<Keyframe> {
      for (const revision of upTo.all(document, upToRevision)) {
        const content = find(document, revision)
        if (content !== undefined) yield { revision, content }
      }
    },
    /** undefined also where the file is damaged there. */
    find,
    read,
    /**
     * Keeps a new newest text. The one before it goes, unless the log rests on it or too much would have to be
     * replayed without it, or the log isn't known to lead there from the one before that.
     */
    add(
      document: number,
      { revision, needed, logged }: KeyframeMark,
      content: KeptText,
      length: number,
      isLedTo: (before: KeyframeMark, last: KeyframeMark) => boolean,
    ) {
      const [last, before] = newest.all(document, revision - 1)
      insert.run(document, revision, needed, logged, content)
      const isSpare = last && !last.needed && before && logged - before.logged <= replayRoom(length)
      if (isSpare && isLedTo(before, last)) remove.run(document, last.revision)
    },
    /** Older texts of a document that could be packed. */
    listUnpacked: (document: number) => unpackedOnes.all(document),
    pack: (document: number, revision: number, content: Uint8Array) =>
      void pack.run(content, document, revision),
  }
}

export type KeyframeStore = ReturnType<typeof keyframeStore>
