import type { Updates } from '../../server/contract/records/changes.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { SharedText } from '../../server/domain/shared-text.ts'
import type { DraftKeeper } from './draft-keeper.svelte.ts'
import { abandonedDrafts, textsOf, type Draft, type DraftStore } from './drafts.ts'
import type { OpenDocument } from './open-document.svelte.ts'
import type { Saver } from './saver.svelte.ts'

interface Restoring {
  document: OpenDocument
  drafts: DraftStore
  saver: Saver
  keeper: DraftKeeper
  /** The changes since a revision, as they are told to whoever calls itself so. */
  changesOf: (client: string, since: number) => Promise<Updates>
  /** In place of whose window this one goes on: its words stand there already. */
  goOnWith: Draft | null
  isOver: () => boolean
  onRestored: (at: number, undo: () => void) => void
}

/** Takes in text that earlier windows left unsaved, merged with what has become of the document since. */
export async function restoreDrafts(restoring: Restoring): Promise<void> {
  const { document, drafts, saver, keeper, goOnWith, isOver, onRestored } = restoring
  const { text } = document
  const restored = (at: number, before: string) => {
    saver.changed()
    onRestored(at, () => {
      text.set(toLf(before))
      saver.changed()
    })
  }
  if (goOnWith) restored(goOnWith.at, document.base.content)
  const left = await abandonedDrafts(drafts, document.facts.id).catch((): Draft[] => [])
  for (const draft of left) {
    const before = text.stored
    const { base } = document
    const mine = await undelivered(draft, restoring)
    const isNew = mine.content !== base.content || draft.title !== base.title
    if (isNew && !isOver()) {
      const isSame = mine.saved === mine.content || before === mine.content
      if (!isSame) document.mergeText(toLf(mine.saved), toLf(mine.content), toLf(before))
      if (draft.title !== draft.savedTitle) document.title = draft.title
      if (saver.dirty) restored(draft.at, before)
    }
    await keeper.settled()
    // The old draft goes only when its text is safe in this window's own.
    if (saver.dirty && !keeper.kept) continue
    await drafts.delete(draft.documentId, draft.writer).catch(() => {})
  }
}

/** A draft without what of it had reached the server when its window went. */
async function undelivered(
  draft: Draft,
  { changesOf }: Restoring,
): Promise<{ saved: string; content: string }> {
  const texts = textsOf(draft)
  if (!draft.sending) return texts
  try {
    const { updates } = await changesOf(draft.client, draft.revision)
    const text = SharedText.restored({ revision: draft.revision, content: texts.saved }, draft)
    text.receiveOwn(updates)
    return { saved: text.confirmed.toString(), content: text.current.toString() }
  } catch {
    // Nothing leads from there to here: then the texts are all that can be told.
    return texts
  }
}
