import { ApiError, readEnvelope, type ClientOf } from '../../../api/client-of.ts'
import type { StoredFile } from '../../../../server/contract/records/files.ts'
import { storeOnce } from '../store-once.ts'
import { notHeld } from './open-windows.ts'
import type { WaitingFile } from './waiting-file.ts'
import type { WaitingFileStore } from './waiting-files-database.ts'

interface FilesSending {
  token: string
  store: WaitingFileStore
  api: ClientOf<'addFile' | 'listFiles'>
  fetch: typeof fetch
}

/**
 * Sends the bytes of files that wait for a link and that no open page has. The page that writes them into the text finds
 * them on the server then, by their content; what is refused is left to it as well, to be told.
 * @returns whether the server has had each of them
 */
export async function sendWaiting({ token, store, api, fetch }: FilesSending): Promise<boolean> {
  const all = await store.list().catch((): WaitingFile[] => [])
  const due = all.filter((file) => file.token === token && file.refusal === null)
  for (const file of await notHeld(due)) {
    const bytes = await store.bytesOf(file)
    if (!bytes) continue
    const params = { id: file.documentId }
    const send = async () => {
      const url = api.url('addFile', { params, query: { name: file.name, reuse: 'true' } })
      const headers = { 'content-type': bytes.type || 'application/octet-stream' }
      const answer = await fetch(url, { method: 'POST', body: bytes, headers }).catch(() => null)
      if (!answer) throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
      const stored = readEnvelope(await answer.json().catch(() => null), answer.status, null)
      return { file: stored as StoredFile, isNew: true }
    }
    try {
      await storeOnce(bytes, {
        documentId: file.documentId,
        list: () => api.call('listFiles', { params }),
        send,
      })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'OFFLINE') return false
    }
  }
  return true
}
