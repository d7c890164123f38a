/** A card beside the text: where the words it is about stand, and how tall it is. */
export interface MarginCard {
  id: string
  wanted: number
  height: number
}

export interface MarginRoom {
  /** Between two cards. */
  gap: number
  /** How far the active card gives way to those before it. */
  reach: number
  /** How tall it is what stands for the cards that are folded away. */
  fold: number
}

export interface MarginPlaces {
  tops: Map<string, number>
  /** The cards that find no room above the active one, in the order of the text. They take none. */
  folded: readonly string[]
  /** Where what stands for them is. */
  foldTop: number
}

/**
 * Where to put cards so that none covers another and each stands as near to its words as it can, in the order of the
 * text. The active one stands at its words, and those before it move up; where they find no room above it gives way by
 * up to `reach`. Where that isn't enough, those farthest above are folded away until another card is the active one, so
 * that the rest stays in order and in place. Cards come in the order of the text.
 */
export function placeCards(
  cards: readonly MarginCard[],
  active: string | null,
  { gap, reach, fold }: MarginRoom,
): MarginPlaces {
  const places = new Map<string, number>()
  const pivot = cards.findIndex(({ id }) => id === active)
  const chosen = cards[pivot]
  let folded: readonly MarginCard[] = []
  let foldTop = 0
  // The active card, and those that stay above it.
  let first: readonly MarginCard[] = []
  if (chosen) {
    const before = cards.slice(0, pivot)
    const earlier = before.filter((card) => card.wanted < chosen.wanted)
    const needed = earlier.reduce((sum, { height }) => sum + height + gap, 0)
    const all = needed <= Math.max(0, chosen.wanted) + reach
    let limit = Math.max(0, chosen.wanted, all ? needed : fold + gap)
    places.set(chosen.id, limit)

    let room = limit - (all ? 0 : fold + gap)
    const fits = ({ height }: MarginCard) => (room -= height + gap) >= 0
    const until = earlier.findLastIndex((card) => !fits(card)) + 1
    folded = earlier.slice(0, until)
    const staying = earlier.slice(until)
    if (folded.length === 0) {
      // Those at the same place have no order to keep: they take what room is left, and the others follow behind.
      const beside = before.slice(earlier.length)
      staying.push(...beside.slice(beside.findLastIndex((card) => !fits(card)) + 1))
    }
    for (const { id, wanted, height } of staying.toReversed()) {
      limit = Math.min(wanted, limit - gap - height)
      places.set(id, limit)
    }
    first = [...staying, chosen]
    foldTop = Math.max(0, limit - gap - fold)
  }
  const hidden = new Set(folded)
  let free = folded.length > 0 ? foldTop + fold + gap : 0
  for (const card of new Set([...first, ...cards])) {
    if (hidden.has(card)) continue
    const top = Math.max(free, places.get(card.id) ?? card.wanted)
    places.set(card.id, top)
    free = top + card.height + gap
  }
  return { tops: places, folded: folded.map(({ id }) => id), foldTop }
}
