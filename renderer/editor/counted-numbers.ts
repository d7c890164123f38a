import { ChangeSet, type EditorState, type Text } from '@codemirror/state'
import { eachItem, listAround, type ListLine } from './list-lines.ts'
import { suggestedPlaces } from './suggested-places.ts'

/** Of a text as it reads with what one suggests: the numbers that its lists have been counted to have. */
interface Counted {
  /** What tells which suggestions there are. */
  places: unknown
  text: Text
  /** What takes out of the editor’s text what one’s suggestions take out. */
  without: ChangeSet
  /** By where they stand as it reads. */
  numbers: Map<number, number>
  /** The lines of lists that were counted. */
  lines: Set<number>
}

const known = new WeakMap<Text, Counted>()

/** So many lines up and down a list is counted: it is done anew for each key. */
const reach = 300

/**
 * The number that an item has for readers: markdown counts from a list’s first, whatever the others say.
 * @param at where the number stands as it is written
 * @returns undefined where nothing is counted, such as for what is taken out
 */
export function countedNumber(state: EditorState, at: number): number | undefined {
  const counted = countedIn(state)
  const { text, without, numbers, lines } = counted
  const read = without.mapPos(at)
  if (without.invertedDesc.mapPos(read, 1) !== at) return undefined
  const { number } = text.lineAt(read)
  if (!lines.has(number)) count(counted, number)
  return numbers.get(read)
}

function countedIn(state: EditorState): Counted {
  const { doc } = state
  const places = state.facet(suggestedPlaces)
  const before = known.get(doc)
  if (before?.places === places) return before
  const gone = places.flatMap((between) => between(0, doc.length)).filter(({ isGone }) => isGone)
  const without = ChangeSet.of(
    gone.map(({ from, to }) => ({ from, to })),
    doc.length,
  )
  const counted = { places, text: without.apply(doc), without, numbers: new Map(), lines: new Set<number>() }
  known.set(doc, counted)
  return counted
}

/** Counts the lists around a line. */
function count({ text, numbers, lines }: Counted, number: number): void {
  const around = listAround(text, number, number, reach)
  // Where the first isn’t known, none is, and further down neither.
  const isKnown = number - around[0]!.number < reach - 1
  for (const line of around) if (isKnown || line.number >= number) lines.add(line.number)
  lines.add(number)
  if (!isKnown) return
  const found = new Map<ListLine, number>()
  eachItem(around, (line, before) => {
    const { from, item, quotes, space } = line
    if (item?.ordinal == null) return
    const now = before ? found.get(before)! + 1 : item.ordinal
    found.set(line, now)
    numbers.set(from + quotes.length + space.length, now)
  })
}
