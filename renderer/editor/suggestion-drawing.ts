import type { Range, Text } from '@codemirror/state'
import { Decoration, WidgetType, type EditorView } from '@codemirror/view'
import { cutAtWord } from '../../server/domain/cut-at-word.ts'
import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import type { DrawnSuggestion } from './document-session.ts'
import { withPictures } from './files/suggested-pictures.ts'
import { colourOf } from '../ui/person-colour.ts'
import { keptMarks, readContext, strayMarks, withoutMarks } from './stray-marks.ts'
import { struckOnce } from './struck-once.ts'
import { drawnWords, formatsOf, type Around } from './words-that-come.ts'
import './suggestions.css'

/** What a suggestion takes out, and puts in at `at`, in the editor’s own offsets. */
export interface EditorPiece {
  from: number
  to: number
  at: number
  insert: string
  /** On which side of what is put in what is typed right there goes: before it for 1, else behind it. */
  side?: -1 | 1
}

/** A suggestion as it is drawn, wherever its pieces stand by now. */
export interface EditorSuggestion extends Omit<DrawnSuggestion, 'pieces'> {
  pieces: readonly EditorPiece[]
}

interface Suggesting {
  id: string
  active: boolean
  suggestion: EditorSuggestion
}

/** So much of what is put in is shown in the text; all of it is on the card. */
const most = { characters: 300, lines: 8 }

export function shortened(insert: string): string {
  const few = withoutCrowds(insert.split('\n', most.lines).join('\n'))
  const cut = cutAtWord(few, most.characters)
  return cut === few && few !== insert ? `${few}…` : cut
}

const classOf = (name: string, { active, suggestion }: Suggesting) =>
  `${name} ${colourOf(suggestion.colour)}${active ? ' g-suggested-active' : ''}`

const attributesOf = ({ id, suggestion: { author } }: Suggesting) => ({
  'data-suggestion': id,
  // Neither a deletion nor an insertion may have a name of its own.
  'aria-description': `Suggested by ${author}`,
  title: `Suggested by ${author}`,
})

/** Words, or the end of a line, that are no part of the text. */
class Beside extends WidgetType {
  readonly #tag: 'ins' | 'del'
  readonly #text: string
  readonly #class: string
  readonly #attributes: Record<string, string>
  readonly #opensLine: boolean
  readonly #around: Around | undefined

  constructor(
    tag: 'ins' | 'del',
    text: string,
    name: string,
    suggesting: Suggesting,
    opensLine = false,
    around?: Around,
  ) {
    super()
    this.#around = around
    this.#tag = tag
    this.#text = text
    this.#opensLine = opensLine
    this.#class = `g-beside ${classOf(name, suggesting)}`
    this.#attributes = attributesOf(suggesting)
  }

  override eq(other: Beside): boolean {
    return (
      this.#tag === other.#tag &&
      this.#text === other.#text &&
      this.#opensLine === other.#opensLine &&
      this.#around?.head === other.#around?.head &&
      this.#around?.tail === other.#around?.tail &&
      this.#class === other.#class &&
      this.#attributes['data-suggestion'] === other.#attributes['data-suggestion'] &&
      this.#attributes['title'] === other.#attributes['title']
    )
  }

  override get lineBreaks(): number {
    return this.#text.split('\n').length - 1
  }

  override toDOM(view: EditorView): HTMLElement {
    const element = document.createElement(this.#tag)
    element.className = this.#class
    for (const [name, value] of Object.entries(this.#attributes)) element.setAttribute(name, value)
    const lines = this.#text.split('\n')
    for (const [i, line] of lines.entries()) {
      if (i > 0) element.append(lineEnd(), document.createElement('br'))
      if (this.#tag !== 'ins') continue
      const opensLine = i > 0 || this.#opensLine
      const around = this.#around && {
        head: i === 0 ? this.#around.head : '',
        tail: i === lines.length - 1 ? this.#around.tail : '',
      }
      element.append(...drawnWords(line, opensLine, (words) => withPictures(view, words), around))
    }
    if (this.#tag === 'del') element.append(lineEnd())
    if (this.#text.endsWith('\n')) element.classList.add('g-ends-line')
    return element
  }

  // A press on it puts the cursor there, like one on the text.
  override ignoreEvent(): boolean {
    return false
  }
}

function lineEnd(): HTMLElement {
  const sign = document.createElement('span')
  sign.className = 'g-line-end'
  sign.textContent = '¶'
  return sign
}

/** The places of line breaks within a stretch. */
function lineBreaksIn(text: Text, from: number, to: number): number[] {
  const places: number[] = []
  for (let { to: end } = text.lineAt(from); end < to; end = text.lineAt(end + 1).to) places.push(end)
  return places
}

function struck(
  suggesting: Suggesting,
  { from, to }: Pick<EditorPiece, 'from' | 'to'>,
  puts: readonly number[],
  text: Text,
): Range<Decoration>[] {
  const words = Decoration.mark({
    tagName: 'del',
    class: classOf('g-taken', suggesting),
    attributes: attributesOf(suggesting),
  })
  const breaks = lineBreaksIn(text, from, to).map((at) =>
    Decoration.widget({ widget: new Beside('del', '', 'g-taken', suggesting), side: 1 }).range(at),
  )
  return [...partedAt(from, to, puts).map((part) => words.range(part.from, part.to)), ...breaks]
}

/** What is put in among words that go isn’t one of them. */
export function partedAt(
  from: number,
  to: number,
  places: readonly number[],
): { from: number; to: number }[] {
  const within = places.filter((at) => at > from && at < to).sort((a, b) => a - b)
  const edges = [...new Set([from, ...within, to])]
  return edges.slice(1).map((end, i) => ({ from: edges[i]!, to: end }))
}

/** What will stand around what a piece puts in, in its line, once all of the suggestion is accepted. */
function aroundOf(text: Text, pieces: readonly EditorPiece[], piece: EditorPiece): Around {
  const own = pieces.indexOf(piece)
  const begin = text.lineAt(piece.from).from
  const end = text.lineAt(piece.to).to
  const result = (from: number, to: number, some: readonly EditorPiece[]) => {
    let [at, all] = [from, '']
    for (const one of some) {
      all += text.sliceString(at, Math.max(at, one.from)) + one.insert
      at = Math.max(at, one.to)
    }
    return all + text.sliceString(at, Math.max(at, to))
  }
  const before = pieces.filter((one, i) => i < own && one.from >= begin && one.to <= piece.from)
  const behind = pieces.filter((one, i) => i > own && one.from >= piece.to && one.from <= end)
  return {
    head: result(begin, piece.from, before).split('\n').at(-1)!,
    tail: result(piece.to, end, behind).split('\n', 1)[0]!,
  }
}

const hidden = Decoration.replace({})
const hiddenLines = Decoration.replace({ block: true })

/**
 * Hides words as if they were gone. Whole lines go as such, up to the end of the last: what is hidden up to the next
 * one would be of one line with that, which would lose the looks of its own, such as those of a quote.
 * @param places where something is put in, which would be hidden with lines
 */
function hide(text: Text, { from, to }: Pick<EditorPiece, 'from' | 'to'>, places: readonly number[]) {
  const areLines = text.lineAt(from).from === from && text.lineAt(to).from === to
  const isFree = !places.some((at) => at >= from && at < to)
  return areLines && isFree ? hiddenLines.range(from, to - 1) : hidden.range(from, to)
}

/**
 * What is drawn of suggestions; by themselves what they put in, and the looks that they give to words that stay. Words that several take out are struck once; the others show what they put in.
 * @param isTouched whether words are to be seen though they are as good as gone
 */
export function suggestionParts(
  all: readonly Suggesting[],
  text: Text,
  isTouched: (piece: EditorPiece) => boolean,
): {
  parts: Range<Decoration>[]
  puts: Range<Decoration>[]
  formats: Range<Decoration>[]
  covered: ReadonlySet<string>
} {
  const parts: Range<Decoration>[] = []
  const puts: Range<Decoration>[] = []
  const covered = new Set<string>()
  const pieces = all.flatMap((suggesting) =>
    suggesting.suggestion.pieces.map((piece) => ({ ...piece, id: suggesting.id, suggesting, piece })),
  )
  const places = pieces.filter(({ insert }) => insert !== '').map(({ at }) => at)
  const changed = all.map(({ suggestion: { pieces, shown } }) => ({
    ...formatsOf(pieces, (from, to) => text.sliceString(from, to)),
    shown,
  }))
  const formats = changed.flatMap(({ given, lost, shown }) =>
    [...given, ...(shown === 'result' ? lost : [])].map(({ from, to, look }) =>
      Decoration.mark({ class: look }).range(from, to),
    ),
  )
  const halves = new Set(changed.flatMap((one) => [...one.halves]))
  for (const { one, from, isCovered } of struckOnce(pieces, (a, b) => a - b)) {
    const { suggesting, piece, to, at, insert, side = -1 } = one
    const isResult = suggesting.suggestion.shown === 'result' && !isTouched(piece)
    if (isCovered && !isResult) covered.add(suggesting.id)
    if (from < to)
      parts.push(
        ...(isResult
          ? partedAt(from, to, places).map((part) => hide(text, part, places))
          : struck(suggesting, { from, to }, places, text)),
      )
    const name = isResult ? 'g-put g-put-plain' : 'g-put'
    const opensLine = text.lineAt(at).from === at
    const heading = opensLine && /^(#{1,6}) $/.exec(insert)?.[1]
    if (heading) formats.push(Decoration.line({ class: `md-heading md-h${heading.length}` }).range(at))
    // As if accepted, marks are seen by what they do.
    if (isResult && (halves.has(piece) || heading)) continue
    const kept = keptMarks(text.sliceString(piece.from, to), insert).added
    // Of a pair with a half in words around, signs alone are seen until they are accepted: nothing else is put in.
    const isAcross =
      kept.length < strayMarks(insert).length &&
      !halves.has(piece) &&
      (isResult || readContext(insert).trim() !== '')
    const around = isAcross ? aroundOf(text, suggesting.suggestion.pieces, piece) : undefined
    const read = shortened(around ? insert : withoutMarks(insert, kept))
    const widget = read && new Beside('ins', read, name, suggesting, opensLine, around)
    // What is begun right there goes behind it, as it does once it is accepted: so the cursor is behind it, too.
    if (widget) puts.push(Decoration.widget({ widget, side }).range(at))
  }
  return { parts, puts, formats, covered }
}
