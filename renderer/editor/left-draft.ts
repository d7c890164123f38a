import { ChangeSet } from '@codemirror/state'
import { ApiError } from '../api/client-of.ts'
import type { Updates } from '../../server/contract/records/changes.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { rebase } from '../../server/domain/rebase.ts'
import type { OutgoingChange } from '../../server/domain/outgoing-change.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { textsOf, type Draft } from './drafts.ts'
import { changesSince, isOutrun, reopened, type ChangesOf } from './left-text.ts'
import type { OpenDocument } from './open-document.svelte.ts'
import type { Saver } from './saver.svelte.ts'

/** A window that takes in what another has left. */
export interface TakingIn {
  document: OpenDocument
  saver: Saver
  changesOf: ChangesOf
  /** Sends a change under the name of the client that may have sent it before. */
  push: (client: string, change: OutgoingChange) => Promise<Updates>
  /** Takes in what others have changed. */
  catchUp: () => Promise<void>
  /** Whether somebody looks at the text. */
  isSeen: boolean
  isOver: () => boolean
  /** The windows whose words are in this one’s draft. */
  takenIn: Set<string>
  onRestored: (at: number, undo: () => void) => void
}

/** So often the text here and a draft’s are brought to one revision while others write. */
const mostTries = 20
/** By which the server says that it won’t make a change, so that it hasn’t. */
const refusals = ['FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE']

/** Says that something has come back, and offers to take it out again. */
export function tellRestored(
  { document, saver, onRestored }: TakingIn,
  at: number,
  takeBack: () => ChangeSet,
): void {
  if (saver.dirty) saver.changed()
  onRestored(at, () => {
    document.text.replace(takeBack())
    saver.changed()
  })
}

/**
 * Takes in one draft. Answers whether what the window left is here now, or at the server; rejects where that can’t be told
 * for now.
 */
export async function takeIn(draft: Draft, takingIn: TakingIn): Promise<boolean> {
  const { document, changesOf, isOver } = takingIn
  const told = await changesSince(draft, changesOf)
  if (told && isOutrun(draft, told)) {
    if (!isOver()) takeTitle(draft, takingIn)
    return !isOver()
  }
  const copy = told && reopened(document.facts, draft, told)
  try {
    const isKnown = copy !== null && (await goOn(copy, draft, takingIn))
    if (isOver()) return false
    // Nothing leads from there to here: then the texts are all that can be told.
    if (!isKnown) mergeIn(draft, takingIn)
    return true
  } finally {
    copy?.close()
  }
}

const hasMore = 'The server has more of that window than is known here.'

/**
 * Sends what a copy has under the name of its window, so that it is made once, whoever else sends it, however late. What
 * collides is only sent where a person sees it, which is once it is here.
 */
async function sendAs({ client }: Draft, copy: OpenDocument, push: TakingIn['push']): Promise<void> {
  while (client !== '' && (copy.text.isSending || copy.conflicts.open.length === 0)) {
    const change = copy.text.outgoing()
    if (!change) return
    copy.receive(await push(client, change))
    copy.text.answered(change)
    if (copy.text.isSending) throw new Error(hasMore)
  }
}

/**
 * Goes on with the copy of a window that is gone as that would have: what it hadn’t sent, or may have, is sent as what
 * it is. What the server refuses is brought over what was written here. False where the server’s text leads nowhere.
 */
async function goOn(copy: OpenDocument, draft: Draft, takingIn: TakingIn): Promise<boolean> {
  const { document, changesOf, push, catchUp, isSeen, isOver, takenIn } = takingIn
  const { text } = document
  if (!isSeen && copy.conflicts.open.length > 0) throw new Error('Somebody has to see what collides.')
  const isNew = copy.text.isDirty
  const takeBackThere = copy.text.takingBackOwn()
  try {
    await sendAs(draft, copy, push)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (['PRECONDITION_FAILED', 'VALIDATION_ERROR'].includes(error.code)) {
      // What that window sent may have come just now, with more than it wrote down.
      const told = await changesSince(draft, changesOf)
      if (told && isOutrun(draft, told)) throw new Error(hasMore, { cause: error })
      return false
    }
    if (!refusals.includes(error.code)) throw error
  }
  for (let tries = 0; copy.text.revision !== text.revision; tries++) {
    if (tries === mostTries || isOver()) throw new Error('The text changes faster than it can be followed.')
    if (copy.text.revision > text.revision) {
      await catchUp()
      continue
    }
    const { revision } = copy.text
    copy.receive(await changesOf(draft.client, revision))
    if (copy.text.revision === revision) throw new Error(hasMore)
  }
  if (isOver()) return true
  if (copy.text.base.content !== text.base.content) return false
  const {
    ours: [brought],
    over,
  } = rebase([{ changes: copy.text.own, goesOn: false }], text.own)
  if (!brought!.empty) {
    takenIn.add(draft.writer)
    text.replace(brought!)
  }
  document.conflicts.takeOver(copy.conflicts, over, textOf(text.current))
  const takeBack = text.following(takeBackThere().map(over))
  const isRenamed = takeTitle(draft, takingIn)
  if (isNew || isRenamed) tellRestored(takingIn, draft.at, takeBack)
  return true
}

/** Merges a draft by comparing its texts with what is here. */
function mergeIn(draft: Draft, takingIn: TakingIn): void {
  const { document, takenIn } = takingIn
  const { text } = document
  const { saved, content } = textsOf(draft)
  const [before, base] = [text.current, text.base.content]
  let merged = ChangeSet.empty(before.length)
  if (![saved, text.stored, base].includes(content)) {
    takenIn.add(draft.writer)
    merged = document.mergeText(toLf(saved), toLf(content))
  }
  const takeBack = text.following(merged.invert(textOf(before)))
  const isRenamed = takeTitle(draft, takingIn)
  if (!merged.empty || isRenamed) tellRestored(takingIn, draft.at, takeBack)
}

/** Answers whether the document is called otherwise by it. */
function takeTitle(draft: Draft, { document, saver }: TakingIn): boolean {
  const isRenamed = document.bringTitle(draft)
  if (isRenamed) saver.changed()
  return isRenamed
}
