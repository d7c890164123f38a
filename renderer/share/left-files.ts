import { shownSize } from '../../server/domain/shown-size.ts'
import { saveToDisk } from '../editor/files/save-to-disk.ts'
import type { WaitingFile } from '../editor/files/waiting/waiting-file.ts'
import { notHeld } from '../editor/files/waiting/open-windows.ts'
import { indexedDbWaitingFiles } from '../editor/files/waiting/waiting-files-database.ts'
import type { BegunDraft } from './begun-drafts.ts'

/** Files that were added here and left behind before the server had them. */
export async function abandonedFiles(documentId: string): Promise<WaitingFile[]> {
  return notHeld(
    await indexedDbWaitingFiles()
      .list(documentId)
      .catch(() => []),
  )
}

/** The same, to be saved where they can’t be sent. */
export async function leftFiles(documentId: string): Promise<BegunDraft[]> {
  const store = indexedDbWaitingFiles()
  const left = await abandonedFiles(documentId)
  return Promise.all(
    left.map(async (file) => {
      const bytes = await store.bytesOf(file)
      return {
        slot: `file ${file.id}`,
        needs: 'edit' as const,
        quote: 'A file for the text',
        text: `${file.name}, ${shownSize(file.size)}`,
        save: () => bytes && saveToDisk(bytes, file.name),
        discard: () => void store.change(file.id, () => null).catch(() => undefined),
        restore: () => void (bytes && store.add(file, bytes).catch(() => undefined)),
      }
    }),
  )
}
