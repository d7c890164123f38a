import type { LoggedChanges } from '../domain/change-set.ts'
import type { PiecedText } from '../domain/pieced-text.ts'
import { here, type Bench } from '../threads/text-work.ts'
import { readComplete, readLogged, toldSize, unlessDamaged, type ClientChange, type LogEntry } from './log.ts'
import type { ColourStore } from './colours.ts'
import type { Texts } from './texts.ts'
import type { VersionAuthor, versionStore } from './versions.ts'

/** A revision and who made it. */
export type RevisionRow = LogEntry & VersionAuthor & { colour: number | undefined }

/** As much of a document as says which it is, and how it is now. */
interface Known {
  number: number
}
interface Present extends Known {
  revision: number
  text: PiecedText
}

/** As far as anchors are followed: so many entries of the log, and bytes. */
const followedEntries = 10_000
const followedBytes = 4 * 1024 * 1024

/** What documents were before, and what has made them what they are. */
export function documentPast(texts: Texts, versions: ReturnType<typeof versionStore>, colours: ColourStore) {
  const { log } = texts
  return {
    /** When a revision was made. */
    timeOf: log.timeOf,
    /** The oldest revision that places are followed from. */
    oldestRemembered: ({
      number,
      revision,
      followed_from,
    }: Known & { revision: number; followed_from: number }) =>
      log.oldestWithin(number, followed_from, followedEntries, followedBytes) ?? revision,
    /** The changes after a revision, oldest first. */
    changesSince: ({ number }: Known, since: number): { revision: number; changes: LoggedChanges }[] =>
      log.since(number, since).map(({ revision, changes }) => ({ revision, changes: readLogged(changes) })),
    /** The text as it was at any revision; null if there is none of that number, or its text isn't known any more. */
    textAt: (
      { number, revision: now, text }: Present,
      revision: number,
      bench: Bench = here,
    ): string | null => (revision === now ? text.whole : texts.at(number, revision, bench)),
    /** A revision and who made it; undefined if there is none of that number. */
    findRevision: ({ number }: Known, revision: number): RevisionRow | undefined => {
      const entry = log.find(number, revision)
      if (!entry) return undefined
      const made = { ...entry, ...versions.findAuthor(number, revision, entry.author_key) }
      return { ...made, colour: colours.find(number, made) }
    },
    /** The hash of the text as it was at a revision; null if the text, or the revision, isn’t known. */
    hashAt: ({ number }: Known, revision: number): number | null => log.find(number, revision)?.hash ?? null,
    /**
     * The entries of the log after a revision, oldest first, with all the text that they insert; null where they don’t
     * lead on from there, one to the next, or hold more than so many characters.
     */
    readSince({ number }: Known, revision: number, most = Infinity) {
      const entries = log.since(number, revision)
      const isChain = entries.every(({ base }, i) => base === (entries[i - 1]?.revision ?? revision))
      if (!isChain || entries.reduce((sum, { changes }) => sum + changes.length, 0) > most) return null
      const read = unlessDamaged(() => {
        if (most < Infinity && entries.reduce((sum, { changes }) => sum + toldSize(changes), 0) > most)
          return null
        return entries.map((entry) => {
          const changes = readComplete(entry.changes, () => texts.keyframeAt(number, entry.revision))
          return { ...entry, changes, parts: changes.length }
        })
      })
      return read ?? null
    },
    /** Whether a client has made a change of that number. */
    hasChange: ({ number }: Known, client: ClientChange) => log.findByClient(number, client) !== undefined,
  }
}
