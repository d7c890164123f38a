/** A card beside the text: where the words it is about stand, and how tall it is. */
export interface MarginCard {
  id: string
  wanted: number
  height: number
}

/**
 * Where to put cards so that none covers another and each stands as near to its words as it can: the active one exactly
 * there, those before it moved up, those after it moved down. Cards come in the order of the text.
 */
export function placeCards(
  cards: readonly MarginCard[],
  active: string | null,
  gap: number,
): Map<string, number> {
  const tops = new Map<string, number>()
  const pivot = cards.findIndex((card) => card.id === active)
  let free = -Infinity
  for (const card of cards.slice(Math.max(pivot, 0))) {
    const top = Math.max(card.wanted, free)
    tops.set(card.id, top)
    free = top + card.height + gap
  }
  if (pivot > 0) {
    let limit = tops.get(cards[pivot]!.id)! - gap
    for (const card of cards.slice(0, pivot).reverse()) {
      const top = Math.min(card.wanted, limit - card.height)
      tops.set(card.id, top)
      limit = top - gap
    }
    // No room above: then all of them follow from the top of the page.
    if (limit + gap < 0) return placeCards(cards, null, gap)
  }
  return tops
}
