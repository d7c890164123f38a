import { toast } from '../../ui/toast.ts'
import type { OwnerApp } from '../app.ts'
import { sayFailure } from '../say-failure.ts'
import { desktop } from '../desktop.ts'
import { documentPath } from '../router.svelte.ts'

interface Named {
  id: string
  title: string
}

/** Deletes a document once its toast is gone; until then it can be taken back. */
export function deleteWithUndo({ deletions, library }: OwnerApp, { id, title }: Named): void {
  const name = title.trim() || 'No title'
  const shown = toast(`“${name.length > 60 ? `${name.slice(0, 60)}…` : name}” deleted`, {
    description: 'With its comments, versions and share links.',
    duration: 7800,
    action: {
      label: 'Undo',
      onClick: () => {
        if (deletions.undo(id)) desktop?.recent.note({ id, title })
        else toast.error('It is deleted already')
      },
    },
  })
  desktop?.recent.forget(id)
  deletions.delete(id, (error) => {
    toast.dismiss(shown)
    if (error) sayFailure(`“${name}” wasn’t deleted`, error)
    else library.remove(id)
  })
}

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
