import type { EditorState } from '@codemirror/state'
import { frontMatterLength } from '../../server/markdown/front-matter.ts'
import { countMarkdownWords, MarkdownWords } from '../../server/markdown/word-count.ts'
import type { SelectedText } from './document-session.ts'
import type { Editor } from './editor.ts'
import { headings, type EditorHeading } from './headings.ts'
import { inSlices } from './slices.ts'
import { describeLength } from './text-length.ts'

/** A text that is being written. */
interface WrittenText {
  /** Counts its changes. */
  readonly version: number
  readonly selection: SelectedText | null
}

const linesInOneGo = 50

/** How many words a text has; can be stopped on the way. */
export function* markdownWords({ doc }: EditorState): Generator<void, number> {
  const words = new MarkdownWords()
  const isFramed = doc.line(1).text.startsWith('---')
  const skipped = isFramed ? doc.lineAt(frontMatterLength(doc.toString())).number : 1
  let count = 0
  for (const line of doc.iterLines(skipped)) {
    yield* words.adding(line)
    if (++count % linesInOneGo === 0) yield
  }
  return words.count
}

/** What is told about the text beside it: its headings and where among them the window is, and how long it is. */
export class TextFacts {
  headings = $state.raw<EditorHeading[]>([])
  /** Which heading the top of the window is under; -1 for none. */
  current = $state(-1)
  #words = $state(0)
  #selectedWords = $state<number | null>(null)
  #editor: Editor | null = null
  #stop = () => {}

  readonly length = $derived(describeLength(this.#words, this.#selectedWords))

  /** To be made while a component is, for as long as it is shown. */
  constructor(session: WrittenText) {
    // Counting and outlining a long text takes a while, so they wait for a pause, and for the next where it is short.
    $effect(() => {
      void session.version
      const timer = setTimeout(() => this.#measure(), 250)
      return () => {
        clearTimeout(timer)
        this.#stop()
      }
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
    this.#stop()
    const { state } = this.#editor.view
    this.#stop = inSlices(headings(state), (found) => {
      this.headings = found
      this.#place()
      this.#stop = inSlices(markdownWords(state), (words) => (this.#words = words))
    })
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
