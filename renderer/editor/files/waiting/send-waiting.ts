import { ApiError, readEnvelope, type ClientOf } from '../../../api/client-of.ts'
import { sameFile } from '../same-file.ts'
import type { WaitingFile } from './waiting-file.ts'
import { notHeld } from './waiting-files.ts'
import type { WaitingFileStore } from './waiting-files-database.ts'

/** Does something with a file that waits, which nobody else does at the same time: neither another tab nor the worker. */
export function whileSending<T>(id: string | undefined, work: () => Promise<T>): Promise<T> {
  // Only pages that came over a secure connection have locks.
  const { locks } = globalThis.navigator ?? {}
  return id !== undefined && locks ? locks.request(`galley-file ${id}`, work) : work()
}

interface Sending {
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
export async function sendWaiting({ token, store, api, fetch }: Sending): Promise<boolean> {
  const all = await store.list().catch((): WaitingFile[] => [])
  const due = all.filter((file) => file.token === token && file.refusal === null)
  for (const file of await notHeld(due)) {
    const params = { id: file.documentId }
    const send = async () => {
      const bytes = await store.bytesOf(file)
      if (!bytes || (await sameFile(bytes, () => api.call('listFiles', { params })))) return
      const url = api.url('addFile', { params, query: { name: file.name } })
      const headers = { 'content-type': bytes.type || 'application/octet-stream' }
      const answer = await fetch(url, { method: 'POST', body: bytes, headers }).catch(() => null)
      if (!answer) throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
      readEnvelope(await answer.json().catch(() => null), answer.status, null)
    }
    try {
      await whileSending(file.id, send)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'OFFLINE') return false
    }
  }
  return true
}
