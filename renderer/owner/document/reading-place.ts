import { EditorView } from '@codemirror/view'
import type { Editor } from '../../editor/editor.ts'
import { Offsets } from '../../editor/offsets.ts'

/** A place in the text and how high in the window it stands, so that it can stand there in another pane. */
export interface ReadingPlace {
  /** In the text as it is stored. */
  offset: number
  /** Pixels from the window’s top; null for the very beginning, with what is above it. */
  top: number | null
}

/** How far down a window one looks: above and below, the two panes are spaced a little differently. */
const eyes = 0.35

/** Where the writer is: at the cursor, or what stands where one looks if the cursor is out of sight. */
export function writtenPlace({ places, view }: Editor, stored: string): ReadingPlace {
  const offsets = new Offsets(stored)
  const { scrollDOM, state } = view
  const pane = scrollDOM.getBoundingClientRect()
  if (scrollDOM.scrollTop < 8) return { offset: 0, top: null }
  const { head } = state.selection.main
  const cursor = view.coordsAtPos(head)
  if (cursor && cursor.top >= pane.top && cursor.bottom <= pane.bottom)
    return { offset: offsets.toStored(places.toText(head)), top: cursor.top }
  const line = view.lineBlockAtHeight(pane.top + pane.height * eyes - view.documentTop)
  return { offset: offsets.toStored(places.toText(line.from)), top: line.top + view.documentTop }
}

/** Shows a place in the editor. The cursor comes along if it would be out of sight. */
export function showWritten({ places, view }: Editor, stored: string, { offset, top }: ReadingPlace): void {
  const at = Math.min(places.toShown(new Offsets(stored).toEditor(offset)), view.state.doc.length)
  const margin = top === null ? 96 : Math.max(0, top - view.scrollDOM.getBoundingClientRect().top)
  view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: margin }) })
  view.requestMeasure({
    read: () => {
      const pane = view.scrollDOM.getBoundingClientRect()
      const cursor = view.coordsAtPos(view.state.selection.main.head)
      return cursor !== null && cursor.bottom > pane.top && cursor.top < pane.bottom
    },
    write: (isSeen) => {
      // Changing what is selected isn’t allowed while the view is being measured.
      if (!isSeen) setTimeout(() => view.dispatch({ selection: { anchor: view.state.doc.lineAt(at).from } }))
    },
  })
}

interface ReadBlock {
  element: Element
  from: number
  to: number
}

/** The blocks of a rendered text in the order of its source, each as far as the next one. */
function blocksOf(page: Document): ReadBlock[] {
  const all = [...page.querySelectorAll('[data-b]')]
    .map((element) => ({ element, from: Number(element.getAttribute('data-b')) }))
    .sort((a, b) => a.from - b.from)
  return all.map((block, i) => ({ ...block, to: all[i + 1]?.from ?? block.from + 1 }))
}

/** Where the rendered text is read. */
export function readPlace(page: Document): ReadingPlace {
  const scrolled = page.scrollingElement?.scrollTop ?? 0
  if (scrolled < 8) return { offset: 0, top: null }
  const edge = (page.defaultView?.innerHeight ?? 0) * eyes
  const above = frameTop(page)
  for (const { element, from, to } of blocksOf(page)) {
    const { top, bottom, height } = element.getBoundingClientRect()
    if (bottom <= edge) continue
    if (top >= edge || height === 0) return { offset: from, top: top + above }
    return { offset: Math.floor(from + ((edge - top) / height) * (to - from)), top: edge + above }
  }
  return { offset: 0, top: null }
}

/** Shows a place in the rendered text. */
export function showRead(page: Document, { offset, top }: ReadingPlace): void {
  const blocks = blocksOf(page)
  const block = blocks.findLast(({ from }) => from <= offset)
  if (!block || top === null) return page.defaultView?.scrollTo(0, 0)
  const box = block.element.getBoundingClientRect()
  const part = Math.min(1, (offset - block.from) / Math.max(1, block.to - block.from))
  page.defaultView?.scrollBy({ top: box.top + part * box.height + frameTop(page) - top, behavior: 'instant' })
}

const frameTop = (page: Document) => page.defaultView?.frameElement?.getBoundingClientRect().top ?? 0
