import { copyText } from '../../ui/copy-text.ts'
import { relativeTime } from '../../ui/time.ts'
import { toast } from '../../ui/toast.ts'
import { undoToasts } from '../undo-toasts.svelte.ts'
import type { SessionNotice } from '../../editor/session.svelte.ts'

/** Tells the writer what happened to the text without their doing. */
export function sayNotice(notice: SessionNotice): void {
  switch (notice.kind) {
    case 'restored':
      undoToasts.show('Unsaved text was restored', {
        description: `Typed ${relativeTime(new Date(notice.at).toISOString(), Date.now())} in this browser.`,
        duration: 15_000,
        undo: notice.undo,
      })
      return
    case 'diverged':
      toast('The text was loaded anew', {
        description: 'What was here differed from what is stored, and can be copied.',
        duration: Infinity,
        action: { label: 'Copy it', onClick: () => void copyText(notice.text) },
      })
      return
    case 'plain':
      toast('The text is shown plain', {
        description: 'Something in it can’t be shown as markdown. It can be read and written all the same.',
        duration: 15_000,
      })
      return
    case 'file-refused':
      toast(`${notice.name} can’t be added`, { description: notice.message })
      return
    case 'renamed':
      toast('Someone else changed the title too', {
        description: `Yours was kept. Theirs: “${notice.title}”.`,
      })
      return
    case 'undo-stops':
      if (
        undoToasts.explainLast(
          'In the text, undo takes back only what you typed: undo again to go on with that. What you did here is undone here.',
          15_000,
        )
      )
        return
      toast('Undo takes back only what you typed', {
        description:
          'Undo again to go on with that. What was accepted can be reopened from its card; the text as it was before is among the versions.',
      })
  }
}
