import { countMarkdownWords } from '../../server/markdown/word-count.ts'
import type { SelectedText } from './document-session.ts'
import type { Editor } from './editor.ts'
import type { EditorHeading } from './headings.ts'
import { describeLength } from './text-length.ts'

/** A text that is being written. */
interface WrittenText {
  /** Counts its changes. */
  readonly version: number
  readonly selection: SelectedText | null
}

/** What is told about the text beside it: its headings and where among them the window is, and how long it is. */
export class TextFacts {
  headings = $state.raw<EditorHeading[]>([])
  /** Which heading the top of the window is under; -1 for none. */
  current = $state(-1)
  #words = $state(0)
  #selectedWords = $state<number | null>(null)
  #editor: Editor | null = null

  readonly length = $derived(describeLength(this.#words, this.#selectedWords))

  /** To be made while a component is, for as long as it is shown. */
  constructor(session: WrittenText) {
    // Counting and outlining a long text takes a while, so they wait for a pause.
    $effect(() => {
      void session.version
      const timer = setTimeout(() => this.#measure(), 250)
      return () => clearTimeout(timer)
    })
    $effect(() => {
      const { selection } = session
      const timer = setTimeout(
        () => (this.#selectedWords = selection ? countMarkdownWords(selection.text) : null),
        120,
      )
      return () => clearTimeout(timer)
    })
  }

  /** Measures the editor’s text from now on. */
  follow(editor: Editor): void {
    this.#editor = editor
    editor.view.scrollDOM.addEventListener('scroll', () => this.#place(), { passive: true })
    this.#measure()
  }

  #measure(): void {
    if (!this.#editor) return
    this.headings = this.#editor.headings()
    this.#words = countMarkdownWords(this.#editor.text())
    this.#place()
  }

  #place(): void {
    if (!this.#editor) return
    const { view } = this.#editor
    const { scrollTop, clientHeight, scrollHeight } = view.scrollDOM
    const atEnd = scrollTop + clientHeight > scrollHeight - 4
    const top = view.lineBlockAtHeight(scrollTop + 120).from
    this.current = atEnd && scrollTop === 0 ? 0 : this.headings.findLastIndex(({ from }) => from <= top)
  }
}
