import { lineEndings, toLf, withLineEndings } from '../../server/domain/line-endings.ts'
import type { Hunk } from '../../server/domain/hunk.ts'
import type { Editor } from './editor.ts'
import { Offsets } from './offsets.ts'

/**
 * The text of an open document, in the editor or, while none is drawn, kept here. Both have line feeds only; stored it
 * has the line endings it came with.
 */
export class EditedText {
  #version = $state(0)
  #editor: Editor | null = null
  #text: string
  #endings: ReturnType<typeof lineEndings>
  /** What the server last had. */
  readonly #base: () => string
  #cache: { version: number; stored: string; offsets: Offsets } | null = null

  constructor(content: string, base: () => string) {
    this.#text = toLf(content)
    this.#endings = lineEndings(content)
    this.#base = base
  }

  /** Counts the text’s changes: reading it follows them without reading the text. */
  get version(): number {
    return this.#version
  }

  get editor(): Editor | null {
    return this.#editor
  }

  /** As it stands now, with line feeds. */
  get current(): string {
    return this.#editor?.text() ?? this.#text
  }

  get stored(): string {
    return this.#read().stored
  }

  /** Between the editor’s places and those in the stored text. */
  get offsets(): Offsets {
    return this.#read().offsets
  }

  get hasMixedEndings(): boolean {
    return this.#endings === 'mixed'
  }

  takeEndingsOf(content: string): void {
    const endings = lineEndings(content)
    if (endings !== 'none') this.#endings = endings
  }

  attach(editor: Editor): void {
    this.#editor = editor
  }

  detach(): void {
    this.#text = this.current
    this.#editor?.destroy()
    this.#editor = null
  }

  /** Puts another text in its place; an editor calls `changed` by itself. */
  set(text: string, changes?: readonly Hunk[]): void {
    if (this.#editor) return this.#editor.setText(text, changes)
    this.#text = text
    this.changed()
  }

  changed(): void {
    this.#version++
  }

  #read(): { stored: string; offsets: Offsets } {
    const version = this.#version
    if (this.#cache?.version !== version) {
      const text = this.current
      const base = this.#base()
      // A text with mixed line endings stays as it is until it is edited.
      const stored = toLf(base) === text ? base : withLineEndings(text, this.#endings)
      this.#cache = { version, stored, offsets: new Offsets(stored) }
    }
    return this.#cache
  }
}
