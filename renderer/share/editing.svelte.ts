import { indexedDbDrafts } from '../editor/drafts.ts'
import { formatNames, type FormatName } from '../editor/format-names.ts'
import { EditingSession, type Notice } from '../editor/session.svelte.ts'
import type { Reader } from './reader.svelte.ts'
import type { ShareRoute } from './share-routes.ts'
import type { ApiClient } from '../api/caller.ts'

type Session = EditingSession<ApiClient<ShareRoute>>

/** The commands a reader gets buttons for; the others have their shortcuts. */
export const buttons: { format: FormatName; sign: string; label: string; keys: string }[] = (
  [
    ['bold', 'B'],
    ['italic', 'I'],
    ['heading2', 'H'],
    ['bullets', '•'],
    ['quote', '❝'],
    ['link', '↗'],
    ['undo', '↶'],
    ['redo', '↷'],
  ] as const
).map(([format, sign]) => ({
  format,
  sign,
  label: formatNames[format].label,
  keys: formatNames[format].keys,
}))

/** Opens the current text for editing, with what an earlier visit left unsaved. Rejects when it can’t be had. */
export async function openSession(reader: Reader): Promise<Session> {
  const document = await reader.api.call('getDocument', { params: { id: reader.page.documentId } })
  const session: Session = new EditingSession({
    api: reader.api,
    document,
    drafts: indexedDbDrafts(),
    onNotice: (notice) => tell(reader, notice),
    authorName: () => reader.guest.name,
    styleNonce: reader.page.styleNonce,
    onNews: reader.onNews,
    pollEvery: () => reader.pollEvery(10_000),
  })
  await session.restoreDrafts()
  return session
}

/** How saving goes, for a guest; `stuck` when it won’t go by itself. */
export function savingOf({ saver, keeper }: Session): { text: string; stuck: boolean } {
  const { state } = saver
  switch (state.kind) {
    case 'saved':
      return { text: 'Saved', stuck: false }
    case 'waiting':
    case 'saving':
      return { text: 'Saving…', stuck: false }
    case 'failed': {
      const kept = keeper.kept ? 'Your text is kept in this browser' : 'Keep this page open'
      if (state.cause === 'signed-out' || state.cause === 'deleted') {
        return { text: `Not saved: this link no longer works. ${kept}.`, stuck: true }
      }
      const reason = state.cause === 'unreachable' ? 'no connection' : lowerFirst(state.reason)
      const next = state.retryAt === null ? '' : ', and saving is tried again by itself'
      return { text: `Not saved: ${reason}. ${kept}${next}.`, stuck: true }
    }
  }
}

function tell(reader: Reader, notice: Notice): void {
  if (notice.kind === 'restored') reader.notices.say('Text you had not sent before is back in its place.')
  else if (notice.kind === 'line-endings') {
    reader.notices.say('This text had mixed line endings; with your change they become alike.')
  }
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)
