import type { Range } from '../contract/records/anchors.ts'
import { linesOver } from './line-part.ts'
import { similarPlaces } from './similar-places.ts'
import { WordSearch, type Occurrences } from './word-search.ts'

/** Words by which somebody names a place, within a stretch of a text. */
export interface NamedWords extends Range {
  find: string
  /** Which, where they stand more than once; the first is 1. */
  occurrence?: number | undefined
}

export interface FoundPlace extends Range {
  /** In which line it begins; the first is 1. */
  line: number
}

/** A place to be shown: its words, and what stands around. */
export interface ShownPlace {
  line: number
  before: string
  words: string
  after: string
}

/** Where all of them stand, or why the first that isn't clear isn't. */
export type NamedPlaces =
  | { kind: 'found'; places: FoundPlace[] }
  | { kind: 'several'; item: number; count: number; shown: ShownPlace[] }
  /** There are fewer. */
  | { kind: 'beyond'; item: number; count: number }
  /** With the places that are most like it. */
  | { kind: 'missing'; item: number; count: number; shown: ShownPlace[] }
  /** Looking for all of them would take too long. */
  | { kind: 'tooMuch' }

/** So many places are shown where it isn't clear which is meant. */
export const mostShownPlaces = 8
/** So much of what stands around is shown with each. */
const around = 40
const mostWords = 160
/** So many characters are compared for one asking: one or two seconds. */
const mostCompared = 3_000_000_000
/** A search may go over the same characters again: with long words it moves on by no more than this at one time. */
const longestStep = 250

/** Finds where each of these words stands. Each is looked for once, however many name it. */
export function findNamedPlaces({
  content,
  named,
  most = mostCompared,
}: {
  content: string
  named: readonly NamedWords[]
  most?: number
}): NamedPlaces {
  const groups = Map.groupBy(named, keyOf)
  let compared = 0
  for (const [one] of groups.values()) if (one) compared += costOf(one)
  if (compared > most) return { kind: 'tooMuch' }

  const search = new WordSearch(content)
  const done = new Map<string, Occurrences>()
  const occurrencesOf = (one: NamedWords) => {
    const key = keyOf(one)
    const known = done.get(key)
    if (known) return known
    const wanted = new Set(groups.get(key)!.flatMap(({ occurrence }) => occurrence ?? []))
    const found = search.find(one, { most: mostShownPlaces, wanted })
    done.set(key, found)
    return found
  }
  const places: Range[] = []
  for (const [item, one] of named.entries()) {
    const { count, first, chosen } = occurrencesOf(one)
    if (count === 0) {
      const near = similarPlaces(content, one, mostShownPlaces)
      return { kind: 'missing', item, count: near.count, shown: shownPlaces(content, near.places) }
    }
    if (one.occurrence === undefined && count > 1)
      return { kind: 'several', item, count, shown: shownPlaces(content, first) }
    const place = one.occurrence === undefined ? first[0] : chosen.get(one.occurrence)
    if (!place) return { kind: 'beyond', item, count }
    places.push(place)
  }
  return { kind: 'found', places: withLines(content, places) }
}

const keyOf = ({ find, start, end }: NamedWords) => `${start} ${end} ${find}`
const costOf = ({ find, start, end }: NamedWords) => (end - start) * (1 + find.length / longestStep)

function withLines(content: string, places: readonly Range[]): FoundPlace[] {
  const lines = linesOver(content, places)
  return places.map((place, index) => ({ ...place, line: lines[index]!.first }))
}

const shownPlaces = (content: string, places: readonly Range[]): ShownPlace[] =>
  withLines(content, places).map(({ start, end, line }) => ({
    line,
    before: content.slice(Math.max(0, start - around), start),
    words: content.slice(start, Math.min(end, start + mostWords)),
    after: content.slice(end, end + around),
  }))
