import { toast } from '../../ui/toast.ts'
import type { OwnerApp } from '../app.ts'
import { sayFailure } from '../say-failure.ts'
import { documentPath } from '../router.svelte.ts'
import { undoToasts } from '../undo-toasts.svelte.ts'
import type { Opened } from './opened-files.ts'

/** Shows what was made of the files that were opened, and says it once. */
export function showOpened(app: OwnerApp, opened: Opened[]): void {
  const { importer, router } = app
  if (!importer.running && importer.problems.length === 0 && importer.offers.length === 0) importer.clear()
  const [only] = opened
  if (!only) return
  if (opened.length > 1) {
    router.go('/')
    toast.success(`${opened.length} files opened`, { description: summaryOf(opened) })
    return
  }
  router.go(documentPath(only.document.id))
  switch (only.became) {
    case 'new':
      toast.success(`Imported ${only.name}`, { description: 'The file itself stays as it is.' })
      return
    case 'known':
      toast(`${only.name} was imported before`, { description: 'This is the document made from it.' })
      return
    case 'updated':
      undoToasts.show(`Brought up to date from ${only.name}`, {
        kind: 'success',
        description: 'The text before is among the versions.',
        duration: 12_000,
        undo: () => void undo(app, only.document.id, only.before),
      })
      return
    case 'second':
      toast.success(`Imported ${only.name} once more`, {
        description:
          'The file and the document made from it have both changed, so this is a second document.',
        duration: 12_000,
      })
  }
}

function summaryOf(opened: Opened[]): string {
  const count = (became: Opened['became'], words: string) => {
    const n = opened.filter((one) => one.became === became).length
    return n === 0 ? [] : `${n} ${words}`
  }
  const parts = [
    count('new', 'imported'),
    count('known', 'imported before'),
    count('updated', 'brought up to date'),
    count('second', 'imported once more'),
  ].flat()
  return `${parts.join(', ')}. The files themselves stay as they are.`
}

async function undo({ account }: OwnerApp, id: string, revision: number): Promise<void> {
  try {
    await account.api.call('restoreRevision', { params: { id, revision } })
  } catch (error) {
    sayFailure('The text before wasn’t brought back', error)
  }
}
