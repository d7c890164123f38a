import { Facet, StateEffect } from '@codemirror/state'
import { ViewPlugin, type EditorView } from '@codemirror/view'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { largerThan } from '../../../server/domain/shown-size.ts'
import type { Originals } from './originals.ts'
import type { KeptPictures } from './kept-pictures.ts'
import type { KnownFile } from './known-files.ts'
import type { WayOfAdding } from './waiting/waiting-file.ts'
import type { WaitingFiles } from './waiting/waiting-files.ts'

/** Why the text may not be given a file, or what went wrong, for the writer to read. */
export interface FileRefused {
  name: string
  message: string
}

/** It is larger than one may be, and so would never be stored. */
export class FileTooLarge extends Error {
  constructor(most: number) {
    super(largerThan(most))
  }
}

/** The files beside the text that an editor writes. */
export interface Attachments {
  /** Where one is, to be shown in the page. */
  urlOf(name: string): string
  /** What one is: null where there is none of that name; undefined while that isn't known yet. */
  find(name: string): KnownFile | null | undefined
  /** Has a listener called whenever more is known. Returns what stops that. */
  follow(listener: () => void): () => void
  /** Why none may be added here; null where they may. */
  refusal(): string | null
  /**
   * Stores one, once if the same bytes are sent more often. Rejects with an error whose message is fit to be shown:
   * FileTooLarge before anything of it is sent.
   */
  add(
    file: Blob,
    name: string,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<StoredFile>
  /** Deletes one that was stored and isn't wanted after all. */
  drop(file: StoredFile): void
  /** Those that the text shows elsewhere than where one looks. */
  readonly outOfView: KeptPictures
  /** What can be had whole of what was made smaller here. */
  readonly originals: Originals
  /** Those that wait for the server. */
  readonly waiting: WaitingFiles
  readonly way: WayOfAdding
  /** The document’s text, as it stands here. */
  text(): string
  /** Resolves once what was written is on the server or safe in the browser. */
  settle(): Promise<void>
  onRefused(refused: FileRefused): void
}

export const attachments = Facet.define<Attachments, Attachments | null>({
  combine: (given) => given[0] ?? null,
})

/** More is known of the files that the text shows. */
export const filesKnown = StateEffect.define<null>()

/** Has the pictures of a text drawn anew once it is known what they are. */
export const followedFiles = ViewPlugin.define((view: EditorView) => {
  const stop = view.state.facet(attachments)?.follow(() => view.dispatch({ effects: filesKnown.of(null) }))
  return { destroy: () => stop?.() }
})
