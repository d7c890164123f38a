import type { Range, Text } from '@codemirror/state'
import { Decoration, ViewPlugin, WidgetType, type DecorationSet, type EditorView } from '@codemirror/view'
import { crowdsIn, isOfCrowd, wordsOfCrowd } from '../../server/markdown/crowded-marks.ts'

export interface Crowd {
  from: number
  to: number
  /** What there is, in words. */
  words: string
}

/** The crowds of marks that are somewhere between two places, whole. */
export function crowdsBetween(doc: Text, from: number, to: number): Crowd[] {
  const crowds: Crowd[] = []
  for (const { index, 0: found } of crowdsIn(doc.sliceString(from, to))) {
    let [start, end] = [from + index, from + index + found.length]
    if (start === from || end === to) {
      const line = doc.lineAt(start)
      const step = (at: number, by: -1 | 1) => {
        const first = by > 0 ? at : at - 1
        const isHalf = by > 0 ? /[\ud800-\udbff]/ : /[\udc00-\udfff]/
        const length = isHalf.test(line.text[first - line.from] ?? '') ? 2 : 1
        const begin = by > 0 ? at : at - length
        return isOfCrowd(line.text.slice(begin - line.from, begin - line.from + length)) ? length : 0
      }
      for (let length; (length = step(start, -1)) > 0;) start -= length
      for (let length; (length = step(end, 1)) > 0;) end += length
    }
    crowds.push({ from: start, to: end, words: wordsOfCrowd(doc.sliceString(start, end)) })
  }
  return crowds
}

class Words extends WidgetType {
  readonly #words: string
  constructor(words: string) {
    super()
    this.#words = words
  }
  override eq(other: Words) {
    return other.#words === this.#words
  }
  override toDOM() {
    const words = document.createElement('span')
    words.className = 'md-crowd'
    words.textContent = this.#words
    return words
  }
}

function drawn({ state, visibleRanges }: EditorView): DecorationSet {
  const found: Range<Decoration>[] = []
  for (const range of visibleRanges)
    for (const { from, to, words } of crowdsBetween(state.doc, range.from, range.to))
      if (from >= (found.at(-1)?.to ?? 0))
        found.push(Decoration.replace({ widget: new Words(words) }).range(from, to))
  return Decoration.set(found)
}

/** Says of crowds of marks what there is, instead of drawing them. The text is as it is. */
export const crowdedMarks = ViewPlugin.define(
  (view) => ({
    decorations: drawn(view),
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = drawn(update.view)
    },
  }),
  { decorations: ({ decorations }) => decorations },
)
