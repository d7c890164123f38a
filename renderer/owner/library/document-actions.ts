import Undo from '@lucide/svelte/icons/undo-2'
import { cutAtWord } from '../../../server/domain/cut-at-word.ts'
import { ApiError } from '../../api/client.ts'
import { toast } from '../../ui/toast.ts'
import type { OwnerApp } from '../app.ts'
import type { Command } from '../commands.svelte.ts'
import { sayFailure } from '../say-failure.ts'
import { desktop } from '../desktop.ts'
import { documentPath } from '../router.svelte.ts'
import { undoToasts } from '../undo-toasts.svelte.ts'

interface Named {
  id: string
  title: string
}

/** A title as messages quote it. */
export function nameOf({ title }: Named): string {
  const name = title.trim() || 'No title'
  return cutAtWord(name, 60)
}

/** Puts a document into the trash and says how it comes back. Whether it is there. */
export async function deleteWithUndo(app: OwnerApp, { id, title }: Named): Promise<boolean> {
  const { deletions, library } = app
  const name = nameOf({ id, title })
  desktop?.recent.forget(id)
  try {
    await deletions.delete({ id, title }, () => {
      library.remove(id)
      return library.load()
    })
  } catch (error) {
    desktop?.recent.note({ id, title })
    sayFailure(`“${name}” wasn’t deleted`, error)
    return false
  }
  if (deletions.last?.id !== id) return true
  undoToasts.show(`“${name}” is in the trash`, {
    id: toastOf(id),
    description: 'Share links to it open nothing until you restore it.',
    duration: 8000,
    undo: () => void restore(app, { id, title }),
  })
  return true
}

const toastOf = (id: string) => `deleted-${id}`

/** Brings a document back from the trash. Whether it is back. */
export async function restore({ deletions, library }: OwnerApp, document: Named): Promise<boolean> {
  try {
    const restored = await deletions.undo(document.id)
    toast.dismiss(toastOf(document.id))
    desktop?.recent.note({ id: restored.id, title: restored.title })
    await library.load()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') deletions.forget(document.id)
    sayFailure(`“${nameOf(document)}” wasn’t restored`, error)
    return false
  }
}

/** Takes back what this window has deleted, the last first. */
export const undoDeletion = (app: OwnerApp): Command => ({
  id: 'undo-delete',
  group: 'Document',
  get label() {
    return `Undo deleting “${nameOf(app.deletions.last ?? { id: '', title: '' })}”`
  },
  keys: 'Mod-z',
  barePage: true,
  icon: Undo,
  words: ['restore', 'trash'],
  run: () => app.deletions.last && void restore(app, app.deletions.last),
})

/** Shows a document in a further window, or in a browser's further tab. */
export function openInNewWindow(id: string): void {
  open(documentPath(id), '_blank', 'noopener')
}

/** Makes a second document with the same text. */
export async function duplicate({ account, library }: OwnerApp, { id }: Named): Promise<void> {
  try {
    const { title, content } = await account.api.call('getDocument', { params: { id } })
    const name = `${[...title].slice(0, 490).join('')} (copy)`
    library.put(await account.api.call('createDocument', { body: { title: name, content } }))
  } catch (error) {
    sayFailure('The document wasn’t duplicated', error)
  }
}
