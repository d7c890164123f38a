import { requireRoom, type WaitingFile } from '../waiting-file.ts'
import type { WaitingFileStore } from '../waiting-files-database.ts'

/** Files that wait in memory, for tests. */
export function memoryWaitingFiles({ isBroken = false } = {}): WaitingFileStore & {
  files: Map<string, WaitingFile>
} {
  const files = new Map<string, WaitingFile>()
  const bytes = new Map<string, Blob>()
  const step = <T>(work: () => T): Promise<T> =>
    isBroken ? Promise.reject(new Error('The browser keeps nothing.')) : Promise.resolve().then(work)
  return {
    files,
    add: (file, blob) =>
      step(() => {
        requireRoom([...files.values()], file.size)
        files.set(file.id, file)
        bytes.set(file.id, blob)
      }),
    list: (documentId) =>
      step(() =>
        [...files.values()]
          .filter((file) => documentId === undefined || file.documentId === documentId)
          .sort((one, other) => one.order - other.order),
      ),
    bytesOf: ({ id }) => step(() => bytes.get(id) ?? null),
    change: (id, change) =>
      step(() => {
        const file = files.get(id)
        const changed = file && change(file)
        if (changed) files.set(id, changed)
        else if (changed === null) files.delete(id)
        return files.get(id) ?? null
      }),
  }
}
