import { ensureSyntaxTree, syntaxTreeAvailable } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { mapThroughDiff } from '../editor/map-through-diff.ts'
import { Offsets } from '../editor/offsets.ts'
import { counterpart, nearest } from './counterpart.ts'
import type { Reader } from './reader.svelte.ts'
import { readSource } from '../reading/read-source.ts'
import type { ReturnTo, TextEditing } from './text-editing.svelte.ts'
import type { TextPane } from './text-pane.ts'

/** A text as the server has it. */
interface Stored {
  revision: number
  content: string
}

/** Where the source of what is read stands: at the words themselves, where the text has changed at the same words. */
export function sourceOfLine(
  pane: TextPane,
  place: NonNullable<TextEditing['place']>,
  stored: Stored,
): number {
  const { content, revision } = stored
  const block = revision === place.revision ? pane.blockAround(place.from.block) : null
  if (!block) {
    const { said, places } = readSource(content)
    const expected = Math.round(place.part * said.length)
    const found = nearest(said, place.words, expected)
    return places[found < 0 ? expected : found] ?? content.length
  }
  const { said, places } = readSource(content.slice(block.start, block.end ?? content.length))
  return block.start + (places[counterpart(block.shown, said, place.from.char)] ?? 0)
}

/** Where the words of a source offset stand on the page. */
function shownAt(pane: TextPane, { revision }: { revision: number }, offset: number, stored: Stored) {
  const { content } = stored
  if (revision !== stored.revision) {
    const { said, places } = readSource(content)
    const at = firstFrom(places, offset)
    const passage = pane.findWords(said.slice(at, at + 40), at / Math.max(1, said.length))
    return passage && (() => pane.rectOf(passage))
  }
  const block = pane.blockAround(offset)
  if (!block) return null
  const { said, places } = readSource(content.slice(block.start, block.end ?? content.length))
  const found = counterpart(said, block.shown, firstFrom(places, offset - block.start))
  const char = Math.min(found, block.shown.length - 1)
  const from = { block: block.start, char }
  return () => pane.rectOf({ from, to: { ...from, char: char + 1 } }) ?? pane.rectOfBlock(block.start)
}

function firstFrom(places: readonly number[], offset: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a place of the stored text stands in the editor. */
export function placeInEditor(view: EditorView, content: string, stored: Stored, offset: number): number {
  const [now] = mapThroughDiff(stored.content, content, [{ from: offset, to: offset }])
  return Math.min(new Offsets(content).toEditor(now!.from), view.state.doc.length)
}

/** What says that the writer goes on from there. */
const signs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
/** How many frames in a row it has to stand still, and how many to wait for that. */
const steady = 10
const longest = 300

/**
 * Shows a place at the top of the editor, with the cursor there, and keeps it there until the text around it is laid
 * out: it grows and shrinks as it is read and its face comes.
 */
export function holdAtTop(view: EditorView, at: number, down: number): void {
  let going = true
  const stop = () => {
    going = false
    for (const sign of signs) removeEventListener(sign, stop)
  }
  for (const sign of signs) addEventListener(sign, stop, { passive: true })

  ensureSyntaxTree(view.state, at, 500)
  const effects = EditorView.scrollIntoView(at, { y: 'start', yMargin: Math.max(0, down) })
  view.dispatch({ selection: { anchor: at }, effects })
  let still = 0
  let frames = 0
  const hold = () => {
    if (!going || !view.dom.isConnected || frames++ === longest) return stop()
    const line = view.coordsAtPos(at, 1)
    const off = line ? line.top - view.scrollDOM.getBoundingClientRect().top - Math.max(0, down) : 0
    const before = view.scrollDOM.scrollTop
    if (Math.abs(off) >= 1) view.scrollDOM.scrollTop += off
    const isRead = syntaxTreeAvailable(view.state, view.viewport.to)
    still = line && isRead && view.scrollDOM.scrollTop === before ? still + 1 : 0
    if (still === steady) stop()
    else requestAnimationFrame(hold)
  }
  requestAnimationFrame(hold)
}

/** What stands at the top of an editor. */
export interface EditorTop {
  /** In the editor's text; 0 with nothing above it. */
  at: number
  /** How far below the editor's upper edge. */
  down: number
}

/** The first line of the editor that has words and whose middle can be seen. */
export function editorTop(view: EditorView): EditorTop {
  const { contentDOM, scrollDOM, state } = view
  if (scrollDOM.scrollTop < 8) return { at: 0, down: 0 }
  const edge = scrollDOM.getBoundingClientRect().top
  const inside = contentDOM.getBoundingClientRect()
  const x = inside.left + parseFloat(getComputedStyle(contentDOM).paddingLeft) + 1
  let at = view.posAtCoords({ x, y: edge + 1 }, false)
  let line = view.coordsAtPos(at, 1)
  if (line && (line.top + line.bottom) / 2 < edge) at = view.posAtCoords({ x, y: line.bottom + 1 }, false)
  at += state.sliceDoc(at, at + 10_000).search(/\S|$/)
  line = view.coordsAtPos(at, 1)
  return { at, down: line ? line.top - edge : 0 }
}

/** Whether a line of the editor stands where it was shown, give or take what the eye passes over. */
export function standsThere(view: EditorView, at: number, down: number): boolean {
  const line = view.coordsAtPos(at, 1)
  const edge = view.scrollDOM.getBoundingClientRect().top
  return line !== null && Math.abs(line.top - edge - Math.max(0, down)) < line.bottom - line.top
}

/** Where to go on reading: at what stood at the top of the editor, whose text was `content`. */
export function returnTo(reader: Reader, top: EditorTop, content: string, stored: Stored): ReturnTo {
  if (top.at === 0) return null
  const offset = new Offsets(content).toStored(top.at)
  const [now] = mapThroughDiff(content, stored.content, [{ from: offset, to: offset }])
  const where = shownAt(reader.pane, reader.text, now!.from, stored)
  return where && { where, down: top.down }
}
