import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view'
import { stretchesOf } from '../../suggesting/own-suggestions.ts'
import { toEditor } from '../../suggesting/stretches.ts'
import { Arriving } from '../arriving.ts'
import { attachments, type Attachments } from '../attachments.ts'
import { arrive, underWay } from '../files-under-way.ts'
import { anchorOf, keepFile, sendFile } from '../send-file.ts'
import { isPlaced, placeFor, type WaitingFile } from './waiting-file.ts'

/** So many milliseconds after a change it is noted where files are to stand now. */
const pause = 300

/** Shows the files that wait for a text, sends them when there is a connection, and keeps what is on its way when the editor goes. */
export const resumedFiles = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView
    readonly #beside: Attachments | null
    readonly #stop: (() => void) | undefined
    #noting: ReturnType<typeof setTimeout> | undefined
    #sending: 'no' | 'now' | 'once more' = 'no'
    #isOver = false

    constructor(view: EditorView) {
      this.#view = view
      this.#beside = view.state.facet(attachments)
      this.#stop = this.#beside?.waiting.follow(() => void this.#sendAll())
      void this.#takeUp()
    }

    update({ docChanged, state }: ViewUpdate): void {
      if (!docChanged || state.field(underWay).length === 0) return
      clearTimeout(this.#noting)
      this.#noting = setTimeout(() => this.#note(), pause)
    }

    destroy(): void {
      this.#isOver = true
      this.#stop?.()
      clearTimeout(this.#noting)
      this.#note()
      for (const { arriving } of this.#view.state.field(underWay)) {
        if (arriving.failure === null) void keepFile(this.#view, arriving).catch(() => {})
        arriving.stop()
      }
    }

    async #takeUp(): Promise<void> {
      const beside = this.#beside
      if (!beside) return
      for (const file of await beside.waiting.takeUp(beside.way)) {
        const bytes = await beside.waiting.bytesOf(file)
        if (this.#isOver) return
        if (bytes) this.#show(beside, file, bytes)
      }
      await this.#sendAll()
    }

    #show(beside: Attachments, file: WaitingFile, bytes: Blob): void {
      const view = this.#view
      if (view.state.field(underWay).some(({ arriving }) => arriving.id === file.id)) return
      const text = beside.text()
      if (isPlaced(file, text)) return void beside.waiting.discard(file.id)
      const arriving = arrivingOf(file, bytes)
      const place = placeFor(text, file.anchor) ?? { start: text.length, end: text.length }
      const [at, to] = [place.start, place.end].map((one) => toEditor(stretchesOf(view.state), one))
      view.dispatch({ effects: arrive.of({ at: at!, to: to!, files: [arriving] }) })
      void draw(arriving, bytes)
    }

    /** One after the other, however often it is heard that the server is there. */
    async #sendAll(): Promise<void> {
      if (this.#sending !== 'no') return void (this.#sending = 'once more')
      do {
        this.#sending = 'now'
        for (const { arriving } of this.#view.state.field(underWay)) {
          if (this.#isOver) return
          if (arriving.waits && arriving.failure === null) await sendFile(this.#view, arriving)
        }
        // What asked for it again has changed this.
      } while ((this.#sending as string) === 'once more')
      this.#sending = 'no'
    }

    #note(): void {
      for (const { arriving } of this.#view.state.field(underWay)) {
        const anchor = arriving.waits && anchorOf(this.#view, arriving)
        if (anchor) void this.#beside?.waiting.change(arriving.id, { anchor })
      }
    }
  },
)

function arrivingOf(file: WaitingFile, bytes: Blob): Arriving {
  const arriving = new Arriving(file.name, file.id)
  arriving.ready = { blob: bytes, name: file.name, drawn: null, original: null }
  arriving.waits = 'kept'
  arriving.failure = file.refusal
  return arriving
}

async function draw(arriving: Arriving, bytes: Blob): Promise<void> {
  if (!bytes.type.startsWith('image/')) return
  arriving.drawn = await createImageBitmap(bytes).catch(() => null)
  arriving.changed()
}
