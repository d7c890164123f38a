import { createReadStream, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { limits } from '../contract/limits.ts'
import { bringFiles, namesOf, type FileReference } from '../domain/file-references.ts'
import { fileTypeOf, isPicture } from '../domain/type-from-bytes.ts'
import { pictureSizeOf } from '../domain/picture-size.ts'
import type { BlobFolder, ReceivedBytes } from '../store/blob-folder.ts'

export interface TakenFile {
  name: string
  received: ReceivedBytes
  /** How the text led there. */
  target: string
}

export interface TakenText {
  /** Leading to the files by the names that they have in the document. */
  content: string
  files: TakenFile[]
  /** The pictures that couldn’t be taken, as the text names them. */
  missing: string[]
}

/**
 * Takes along what imported texts show from beside them: pictures, and whatever an exported text leads to in its
 * folder `files`. Only what lies in the folders that were named, or beside a file that was: a text may come from
 * anybody, and must not bring in what it only points at.
 */
export class FilesBeside {
  readonly #roots: string[]
  readonly #blobs: BlobFolder
  #received: ReceivedBytes[] = []

  constructor(named: readonly string[], blobs: BlobFolder) {
    this.#roots = named.flatMap((at) => {
      try {
        return statSync(at).isDirectory() ? realpathSync.native(at) : realpathSync.native(path.dirname(at))
      } catch {
        // Why is told where it is read.
        return []
      }
    })
    this.#blobs = blobs
  }

  async take(file: string, content: string): Promise<TakenText> {
    const taken = new Map<string, ReceivedBytes | undefined>()
    let bytes = 0
    const brought = await bringFiles(content, async (reference) => {
      const source = this.#find(file, reference.target)
      if (source === undefined) return undefined
      if (!taken.has(source) && taken.size < limits.documentFiles) {
        const received = await this.#receive(source, reference, limits.documentFileBytes - bytes)
        bytes += received?.size ?? 0
        taken.set(source, received)
      }
      const received = taken.get(source)
      return received && { source: received, called: path.basename(source) }
    })
    const files = brought.files.map(({ name, source: received, target }) => ({ name, received, target }))
    return { content: brought.content, files, missing: brought.missing }
  }

  /** What was received is in its place, or isn’t wanted. */
  async done(): Promise<void> {
    const received = this.#received
    this.#received = []
    await Promise.all(received.map((one) => this.#blobs.drop(one)))
  }

  #find(file: string, target: string): string | undefined {
    for (const name of namesOf(target)) {
      try {
        const real = realpathSync.native(path.resolve(path.dirname(file), name))
        const isInside = this.#roots.some((root) =>
          real.startsWith(root.endsWith(path.sep) ? root : root + path.sep),
        )
        if (isInside && statSync(real).isFile()) return real
      } catch {
        // Not there, or not to be read.
      }
    }
    return undefined
  }

  async #receive(
    source: string,
    { isPicture: shows }: FileReference,
    room: number,
  ): Promise<ReceivedBytes | undefined> {
    const received = await this.#blobs
      .receive(createReadStream(source), Math.min(limits.fileBytes, room))
      .catch((error: unknown) => {
        const { code } = error as { code?: unknown }
        // What can’t be read is left out; what can’t be written ends the import.
        if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' || code === 'EISDIR') return undefined
        throw error
      })
    if (!received) return undefined
    this.#received.push(received)
    const type = fileTypeOf(received.head)
    const size = pictureSizeOf(type, received.head)
    const isHuge =
      size !== null &&
      (size.width > limits.pictureSide ||
        size.height > limits.pictureSide ||
        size.width * size.height > limits.picturePixels)
    return (shows && !isPicture(type)) || isHuge ? undefined : received
  }
}
