import type { Range, Text } from '@codemirror/state'
import { Decoration, ViewPlugin, WidgetType, type DecorationSet, type EditorView } from '@codemirror/view'

/**
 * What is drawn over the letter before it, or not at all. Browsers take longer the more of it there is, by the square and more; no
 * language has more than a few at one letter, and of those made for the look of it none has a hundred.
 */
const drawnOver = String.raw`[\p{M}\p{Emoji_Modifier}\p{Cf}]`
const mark = /[\p{M}\p{Emoji_Modifier}]/u
const crowd = new RegExp(`${drawnOver}{100,}`, 'gu')
const one = new RegExp(`^${drawnOver}$`, 'u')

export interface Crowd {
  from: number
  to: number
  /** What there is, in words. */
  words: string
}

/** The crowds of marks that are somewhere between two places, whole. */
export function crowdsIn(doc: Text, from: number, to: number): Crowd[] {
  const crowds: Crowd[] = []
  for (const { index, 0: found } of doc.sliceString(from, to).matchAll(crowd)) {
    let [start, end] = [from + index, from + index + found.length]
    if (start === from || end === to) {
      const line = doc.lineAt(start)
      const step = (at: number, by: -1 | 1) => {
        const first = by > 0 ? at : at - 1
        const isHalf = by > 0 ? /[\ud800-\udbff]/ : /[\udc00-\udfff]/
        const length = isHalf.test(line.text[first - line.from] ?? '') ? 2 : 1
        const begin = by > 0 ? at : at - length
        return one.test(line.text.slice(begin - line.from, begin - line.from + length)) ? length : 0
      }
      for (let length; (length = step(start, -1)) > 0;) start -= length
      for (let length; (length = step(end, 1)) > 0;) end += length
    }
    const text = doc.sliceString(start, end)
    const count = [...text].length.toLocaleString('en')
    const words = `${count} ${mark.test(text) ? 'combining marks' : 'invisible characters'}`
    crowds.push({ from: start, to: end, words })
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
    for (const { from, to, words } of crowdsIn(state.doc, range.from, range.to))
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
