import type { HistoryEntry, VersionSummary } from '../../../server/contract/records/versions.ts'
import type { ChangesJson } from '../../../server/domain/change-set.ts'
import type { Segment } from '../../../server/domain/diff-segments.ts'
import type { ApiClient } from '../../api/client.ts'
import { changePieces, written, type AuthoredPiece } from '../history/authorship.ts'

/** So much of the log is read to tell one session’s changes from others’. */
const mostParts = 4

/** The versions of others that were written while this one was. */
export const writtenMeanwhile = (
  list: readonly VersionSummary[],
  version: VersionSummary,
): VersionSummary[] =>
  list.filter(
    (one) =>
      !isSameAuthor(one, version) &&
      (one.revision > version.revision
        ? one.started_at < version.created_at
        : one.revision < version.revision && one.created_at > version.started_at),
  )

/**
 * What the author of a version changed in the text while others wrote in it, too; what they did isn't marked. Null where
 * it can't be told, or would take too long.
 */
export async function sessionChanges(
  api: ApiClient,
  id: string,
  list: readonly VersionSummary[],
  version: VersionSummary,
  textAt: (revision: number) => Promise<string>,
): Promise<Segment[] | null> {
  const before = list.find(({ created_at }) => created_at < version.started_at)
  if (!before) return null
  const entries = await entriesBetween(api, id, before.revision, version.revision)
  if (!entries) return null
  let pieces: readonly AuthoredPiece[] = [written(await textAt(before.revision), others)]
  for (const entry of entries) {
    const isOwn = entry.created_at >= version.started_at && isSameAuthor(entry, version)
    pieces = changePieces(pieces, entry.changes, isOwn ? own : others, true)
  }
  return segmentsOf(pieces)
}

const others = 0
const own = 1

type WholeEntry = HistoryEntry & { changes: ChangesJson }

/** The entries of the log from one revision to another; null where they don’t lead there, or are too many. */
async function entriesBetween(
  api: ApiClient,
  id: string,
  from: number,
  to: number,
): Promise<WholeEntry[] | null> {
  const entries: WholeEntry[] = []
  let at = from
  for (let parts = 0; at < to; parts++) {
    if (parts === mostParts) return null
    const part = await api.call('listHistory', { params: { id }, query: { after: at } })
    for (const entry of part.entries) {
      if (entry.revision > to) break
      if (entry.base !== at || !isComplete(entry)) return null
      entries.push(entry)
      at = entry.revision
    }
    if (at < to && !part.more) return null
  }
  return entries
}

const isComplete = (entry: HistoryEntry): entry is WholeEntry =>
  entry.changes.every((part) => typeof part === 'number' || typeof part[1] !== 'number')

type EntryAuthor = Pick<VersionSummary, 'author_id' | 'author_name' | 'key_name'>

function isSameAuthor(a: EntryAuthor, b: EntryAuthor): boolean {
  return a.author_id === b.author_id && a.author_name === b.author_name && a.key_name === b.key_name
}

function segmentsOf(pieces: readonly AuthoredPiece[]): Segment[] {
  const segments: Segment[] = []
  for (const { text, mark, by } of pieces) {
    if (by !== own && mark === 'removed') continue
    const kind = by === own && mark !== null ? mark : 'same'
    const last = segments.at(-1)
    if (last?.kind === kind) last.text += text
    else segments.push({ kind, text })
  }
  return segments
}
