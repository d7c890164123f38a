/** A card beside the text: where the words it is about stand, and how tall it is. */
export interface MarginCard {
  id: string
  wanted: number
  height: number
}

/**
 * Where to put cards so that none covers another and each stands as near to its words as it can, in the order of the
 * text. The active one stands exactly at its words, and those before it move up; where they find no room above it gives
 * way by up to `reach`. Where that isn't enough it stays at its words, and who found no room follows behind it, with
 * those that come after it in the text. Cards come in the order of the text.
 */
export function placeCards(
  cards: readonly MarginCard[],
  active: string | null,
  gap: number,
  reach: number,
): Map<string, number> {
  const places = new Map<string, number>()
  const pivot = cards.findIndex(({ id }) => id === active)
  const chosen = cards[pivot]
  // The active card, and those that stay above it.
  let first: MarginCard[] = []
  if (chosen) {
    const before = cards.slice(0, pivot)
    const earlier = before.filter((card) => card.wanted < chosen.wanted)
    const needed = earlier.reduce((sum, { height }) => sum + height + gap, 0)
    let limit = Math.max(0, chosen.wanted)
    if (needed <= limit + reach) limit = Math.max(limit, needed)
    places.set(chosen.id, limit)

    // Those at the same place have no order to keep: they take what room is left.
    let room = limit
    const nearest = [...earlier.reverse(), ...before.slice(earlier.length).reverse()]
    const full = nearest.findIndex(({ height }) => (room -= height + gap) < 0)
    const staying = new Set(full < 0 ? nearest : nearest.slice(0, full))
    first = before.filter((card) => staying.has(card))
    for (const { id, wanted, height } of [...first].reverse()) {
      limit = Math.min(wanted, limit - gap - height)
      places.set(id, limit)
    }
    first.push(chosen)
  }
  let free = 0
  for (const { id, wanted, height } of new Set([...first, ...cards])) {
    const top = Math.max(free, places.get(id) ?? wanted)
    places.set(id, top)
    free = top + height + gap
  }
  return places
}
