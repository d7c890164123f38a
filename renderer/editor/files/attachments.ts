import { Facet } from '@codemirror/state'
import type { StoredFile } from '../../../server/contract/records/files.ts'

/** Why the text may not be given a file, or what went wrong, for the writer to read. */
export interface FileRefused {
  name: string
  message: string
}

/** The files beside the text that an editor writes. */
export interface Attachments {
  /** Where one is, to be shown in the page. */
  urlOf(name: string): string
  /** Why none may be added here; null where they may. */
  refusal(): string | null
  /** Stores one. Rejects with an error whose message is fit to be shown. */
  add(
    file: Blob,
    name: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<StoredFile>
  onRefused(refused: FileRefused): void
}

export const attachments = Facet.define<Attachments, Attachments | null>({
  combine: (given) => given[0] ?? null,
})

/** The name of a file of the document's own that an address in markdown means; null for any other address. */
export function storedName(src: string): string | null {
  const name = /^(?:\.\/)?files\/([^/?#\\]+)(?:#\S*)?$/.exec(src)?.[1]
  if (name === undefined) return null
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
