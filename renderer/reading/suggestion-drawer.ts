import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { drawSuggestion, undraw, type Drawn } from './draw-suggestion.ts'
import type { FileUrl } from './put-blocks.ts'
import { offsetOf } from './points.ts'
import type { RenderedText } from './rendered-text.ts'
import { blocksBelow } from './top-line.ts'

/** A text as some page shows it. */
export interface ShownRendering {
  readonly pane: RenderedText
  readonly revision: number
}

/** What draws them needs to know of the document. */
export interface DrawnDocument {
  readonly text: ShownRendering
  readonly fileUrl: FileUrl
}

/** So long the page may stand still for them, in milliseconds; with what the browser makes of it, it is more. */
const atOnce = 8

export interface WantedSuggestion {
  mark: Mark
  suggestion: Suggestion
  colour: number
}

/** Draws suggestions in the text, few at a time, and keeps what is drawn as long as nothing of it is another. */
export class SuggestionDrawer {
  readonly #document: DrawnDocument
  readonly #onDrawn: (drawn: ReadonlyMap<string, Drawn>) => void
  readonly #drawn = new Map<string, Drawn>()
  /** What each was drawn from. */
  readonly #sources = new Map<string, string>()

  constructor(document: DrawnDocument, onDrawn: (drawn: ReadonlyMap<string, Drawn>) => void) {
    this.#document = document
    this.#onDrawn = onDrawn
  }

  /** Draws these and no others, those in view first, until it is stopped. */
  async draw(wanted: readonly WantedSuggestion[], isStopped: () => boolean): Promise<void> {
    const { text, fileUrl } = this.#document
    const { pane, revision } = text
    const sources = new Map(wanted.map((one) => [one.suggestion.id, sourceOf(one, revision)]))
    const isDrawn = (id: string) => this.#sources.get(id) === sources.get(id)
    const left = fromView(
      pane.element,
      wanted.filter(({ suggestion: { id } }) => !isDrawn(id)),
    )
    const stale = [...this.#drawn].filter(([id]) => !isDrawn(id))
    for (const [id, drawn] of stale) {
      undraw(pane, id, drawn)
      this.#drawn.delete(id)
      this.#sources.delete(id)
    }
    if (stale.length > 0) this.#tell()
    for (let part = 0; left.length > 0; part++) {
      const stay = keepPlace(pane.element)
      const until = performance.now() + atOnce
      do {
        const { mark, suggestion, colour } = left.shift()!
        this.#drawn.set(suggestion.id, drawSuggestion(pane, mark, suggestion, colour, fileUrl))
        this.#sources.set(suggestion.id, sources.get(suggestion.id)!)
      } while (left.length > 0 && performance.now() < until)
      stay()
      await rest()
      // What is in view is seen at once, all else together: cards and colours follow each time.
      if (part === 0 || left.length === 0 || isStopped()) this.#tell()
      if (isStopped()) return
      await rest()
      // Who draws now has taken up what is left.
      if (isStopped()) return
    }
  }

  #tell(): void {
    this.#onDrawn(new Map(this.#drawn))
  }
}

/** Those in or near the window first. */
function fromView(root: Element, wanted: readonly WantedSuggestion[]): WantedSuggestion[] {
  const [block] = blocksBelow(root, 0)
  const top = block ? offsetOf(block) : 0
  const isBefore = ({ mark }: WantedSuggestion) => Number(mark.from.block < top)
  const away = ({ mark }: WantedSuggestion) => Math.abs(mark.from.block - top)
  return wanted.toSorted((a, b) => isBefore(a) - isBefore(b) || away(a) - away(b))
}

/** Keeps what is read where it is, as most browsers do by themselves, whatever is put in above it. */
function keepPlace(root: Element): () => void {
  const view = root.ownerDocument.defaultView
  if (!view || CSS.supports('overflow-anchor: auto') || view.scrollY < 8) return () => undefined
  const [block] = blocksBelow(root, 64)
  if (!block) return () => undefined
  const { top } = block.getBoundingClientRect()
  return () => view.scrollBy({ top: block.getBoundingClientRect().top - top, behavior: 'instant' })
}

const rest = () => new Promise((resolve) => setTimeout(resolve))

function sourceOf({ mark: { from, to }, suggestion, colour }: WantedSuggestion, revision: number): string {
  const { original_text, suggested_text } = suggestion
  return JSON.stringify([revision, from, to, original_text, suggested_text, colour])
}
