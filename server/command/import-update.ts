import { readDocument } from '../actions/documents.ts'
import { changeImported } from '../actions/import.ts'
import { readRevision } from '../actions/revisions.ts'
import { readTrashed } from '../actions/trash.ts'
import { GalleyError } from '../contract/errors.ts'
import type { Document } from '../contract/records/documents.ts'
import { mergeTexts } from '../domain/merge.ts'
import type { UserRow } from '../store/users.ts'
import type { CommandChannel } from './channel.ts'
import type { FilesBeside } from './files-beside.ts'
import { hashOf, type RememberedFile } from './import-memory.ts'

export type ImportOutcome =
  | { became: 'new' }
  | { became: 'unchanged' }
  | { became: 'changed' | 'merged'; known: RememberedFile; title: string; notes: string[] }
  | { became: 'refused'; why: string }

interface Updating {
  channel: CommandChannel
  user: UserRow
  beside: FilesBeside
}

/** Makes what was changed in a file a change of the document that it became before. */
export async function updateFrom(
  { channel, user, beside }: Updating,
  file: string,
  content: string,
  known: RememberedFile | undefined,
): Promise<ImportOutcome> {
  if (known === undefined) return { became: 'new' }
  const hash = hashOf(content)
  const target = { id: known.id }
  let document = await present(channel.perform(user, readDocument, target, undefined))
  if (!document) {
    const trashed = await present(channel.perform(user, readTrashed, target, undefined))
    // Another Galley’s, or gone for good.
    if (!trashed) return { became: 'new' }
    return {
      became: 'refused',
      why: `its document is in the trash. “galley doc restore ${known.id}” brings it back.`,
    }
  }
  if (hash === known.hash) return { became: 'unchanged' }

  const base = await baseOf(channel, user, known)
  if (base === undefined)
    return {
      became: 'refused',
      why: `${noBase(known)} ${toDecide(known.id, file)}`,
    }
  const { content: mine, files, missing } = await beside.take(file, content)
  for (;;) {
    const text = document.content === base ? mine : mergedText(base, mine, document.content)
    if (text === undefined)
      return {
        became: 'refused',
        why: `${bothChanged} ${toDecide(known.id, file)}`,
      }
    const notes = missing.map((name) => `left out ${name}`)
    try {
      if (text !== document.content) {
        const ifRevision = { revisions: [document.revision], any: false }
        const changed = await channel.perform(user, changeImported, target, {
          content: text,
          files,
          ifRevision,
        })
        document = changed.document
        notes.push(
          ...changed.kept.map((name) => `${name} is another file now; the document keeps the one it has`),
        )
      }
    } catch (error) {
      if (!(error instanceof GalleyError) || error.code !== 'PRECONDITION_FAILED') throw error
      document = error.data as Document
      continue
    }
    const isSame = document.content === mine
    return {
      became: isSame ? 'changed' : 'merged',
      known: { id: known.id, revision: document.revision, hash, ...(isSame ? {} : { text: mine }) },
      title: document.title,
      notes,
    }
  }
}

/** The text that a file and its document had in common last; undefined where that isn’t kept. */
export async function baseOf(
  channel: CommandChannel,
  user: UserRow,
  { id, revision, text }: RememberedFile,
): Promise<string | undefined> {
  if (text !== undefined) return text
  const target = { id, revision: String(revision) }
  return (await present(channel.perform(user, readRevision, target, undefined)))?.content
}

export const noBase = ({ revision }: RememberedFile) =>
  `revision ${revision}, which it was made of, isn’t kept any more.`
export const bothChanged = 'the same words were changed here and in Galley; both are as they were.'

export function mergedText(base: string, mine: string, theirs: string): string | undefined {
  const { text, conflicts } = mergeTexts(base, mine, theirs)
  return conflicts.length === 0 ? text : undefined
}

export const toDecide = (id: string, file: string) =>
  `“galley doc diff ${id} ${file}” shows how they differ, “galley doc edit ${id} ${file}” takes the file’s text.`

export const present = <Result>(asked: Promise<Result>): Promise<Result | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof GalleyError && error.code === 'NOT_FOUND') return undefined
    throw error
  })
