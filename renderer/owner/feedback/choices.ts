import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { wordReplacements } from '../../../server/domain/change-set.ts'
import { alternativesOf } from '../../feedback/alternatives.ts'
import { overlapsOf } from '../../feedback/overlaps.ts'

type PlacedSuggestion = Pick<Suggestion, 'id' | 'range' | 'original_text' | 'suggested_text'>

/** Of suggestions that are to be accepted together, those that go together, and those of which one has to be chosen. */
export interface Choices<One> {
  clear: readonly One[]
  /** Each place where accepting one would leave another without its words. */
  places: readonly (readonly One[])[]
}

/** `asked` is in the order in which they would be accepted. */
export function choicesAmong<One extends PlacedSuggestion>(asked: readonly One[]): Choices<One> {
  const placeOf = new Map<string, Set<One>>()
  const join = (one: One, other: One) => {
    const place = placeOf.get(one.id) ?? new Set([one])
    for (const each of placeOf.get(other.id) ?? [other]) placeOf.set(each.id, place.add(each))
    placeOf.set(one.id, place)
  }
  for (const [first, ...more] of alternativesOf(asked)) for (const other of more) join(first!, other)
  const overlaps = overlapsOf(asked)
  const order = new Map(asked.map(({ id }, i) => [id, i]))
  for (const one of asked)
    for (const later of overlaps.get(one.id) ?? [])
      if (order.get(one.id)! < order.get(later.id)! && takesFrom(one, later)) join(one, later)
  return {
    clear: asked.filter(({ id }) => !placeOf.has(id)),
    places: [...new Set(placeOf.values())].map((place) => [...place]),
  }
}

/** Whether accepting one changes words that another is about, which then isn’t applied. */
function takesFrom(
  { range, original_text, suggested_text }: PlacedSuggestion,
  { range: words }: PlacedSuggestion,
): boolean {
  if (!range || !words) return false
  return wordReplacements(original_text, 0, original_text.length, suggested_text).some((change) => {
    const [from, to] = [range.start + change.from, range.start + change.to]
    return from <= words.start ? to > words.start : from < words.end
  })
}

/** Said of places where only one of several can be accepted. */
export const toChoose = ({ length }: readonly unknown[]) =>
  length === 1
    ? 'One place has alternatives: choose one'
    : `${length} places have alternatives: choose one of each`
