/** A card beside the text: where the words it is about stand, and how tall it is. */
export interface MarginCard {
  id: string
  wanted: number
  height: number
}

/**
 * Where to put cards so that none covers another and each stands as near to its words as it can: the active one exactly
 * there. Of those before it as many move up as there is room for; the others follow behind it, with those that come
 * after it in the text. Cards come in the order of the text.
 */
export function placeCards(
  cards: readonly MarginCard[],
  active: string | null,
  gap: number,
): Map<string, number> {
  const tops = new Map<string, number>()
  const pivot = cards.findIndex((card) => card.id === active)
  let first = pivot
  if (pivot >= 0) {
    const { id, wanted } = cards[pivot]!
    tops.set(id, Math.max(0, wanted))
    let limit = tops.get(id)! - gap
    while (first > 0) {
      const { id, wanted, height } = cards[first - 1]!
      const top = Math.min(wanted, limit - height)
      if (top < 0) break
      tops.set(id, top)
      limit = top - gap
      first--
    }
  }
  let free = pivot < 0 ? -Infinity : tops.get(cards[pivot]!.id)! + cards[pivot]!.height + gap
  for (const card of [...cards.slice(0, Math.max(first, 0)), ...cards.slice(pivot + 1)]) {
    const top = Math.max(card.wanted, free)
    tops.set(card.id, top)
    free = top + card.height + gap
  }
  return tops
}
