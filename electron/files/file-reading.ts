import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import type { FileProblem } from '../../server/contract/desktop.ts'
import { limits } from '../../server/contract/limits.ts'

export type FileContent = { bytes: Uint8Array<ArrayBuffer>; path: string } | { problem: FileProblem }

/** Reads a file that may become a document; `path` is the file’s own, whatever links led to it. */
export async function readDocumentFile(file: string): Promise<FileContent> {
  try {
    const path = await realpath(file)
    // A pipe would otherwise be waited for until somebody writes into it.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      if (stats.isDirectory()) return { problem: 'folder' }
      if (!stats.isFile()) return { problem: 'unreadable' }
      if (stats.size > limits.contentBytes) return { problem: 'too-large' }
      const bytes = await handle.readFile()
      // It may have grown, and some files don't say how large they are.
      if (bytes.length > limits.contentBytes) return { problem: 'too-large' }
      return { bytes: new Uint8Array(bytes), path }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return { problem: problemOf((error as { code?: unknown }).code) }
  }
}

function problemOf(code: unknown): FileProblem {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'gone'
    case 'EISDIR':
      return 'folder'
    case 'EACCES':
    case 'EPERM':
      return 'forbidden'
    default:
      return 'unreadable'
  }
}
