import type { RenderedPoint } from '../../server/contract/records/rendering.ts'

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

/** A card that is yet to be put: where its words begin, if it is about any that are shown. */
export interface UnplacedCard extends MarginCard {
  from: RenderedPoint | null
}

/**
 * Cards in the order of their words, also where several are about words of one line: how high words stand on the page
 * says nothing of which come first there. Those about no words stand among them where they want to.
 */
export function inOrder(
  cards: readonly UnplacedCard[],
  first: (a: RenderedPoint, b: RenderedPoint) => number,
): MarginCard[] {
  let reached = -Infinity
  const placed = cards
    .filter(({ from }) => from !== null)
    .sort((a, b) => first(a.from!, b.from!))
    .map((card) => ({ ...card, wanted: (reached = Math.max(reached, card.wanted)) }))
  const others = cards.filter(({ from }) => from === null)
  return [...others, ...placed].sort((a, b) => a.wanted - b.wanted)
}

/** How far above its words a card has to stand for all of it to be in view, and no higher than what is in view. */
export const liftOf = (
  { wanted, height }: Omit<MarginCard, 'id'>,
  view: { top: number; bottom: number },
): number => Math.max(0, Math.min(wanted + height - view.bottom, wanted - view.top))

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
  const tops = new Map<string, number>()
  const pivot = cards.findIndex(({ id }) => id === active)
  const chosen = cards[pivot]
  let shown = cards
  let foldTop = 0
  let free = 0
  if (chosen) {
    const before = cards.slice(0, pivot)
    const needed = before.reduce((sum, { height }) => sum + height + gap, 0)
    const all = needed <= Math.max(0, chosen.wanted) + reach
    let limit = Math.max(0, chosen.wanted, all ? needed : fold + gap)
    tops.set(chosen.id, limit)

    let room = limit - (all ? 0 : fold + gap)
    const until = before.findLastIndex(({ height }) => (room -= height + gap) < 0) + 1
    for (const { id, wanted, height } of before.slice(until).toReversed()) {
      limit = Math.min(wanted, limit - gap - height)
      tops.set(id, limit)
    }
    shown = cards.slice(until)
    foldTop = Math.max(0, limit - gap - fold)
    if (until > 0) free = foldTop + fold + gap
  }
  for (const card of shown) {
    const top = Math.max(free, tops.get(card.id) ?? card.wanted)
    tops.set(card.id, top)
    free = top + card.height + gap
  }
  const folded = cards.slice(0, cards.length - shown.length).map(({ id }) => id)
  return { tops, folded, foldTop }
}
