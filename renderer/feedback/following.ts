/**
 * Called before something is done on a card by which it may go. What it answers is called after, and has the keyboard go
 * on: to the one that took its place, or to the card, if that is still there.
 */
export type Leaving = (id: string) => () => void | Promise<void>

/**
 * Where one goes on from a card that may be gone by now: to itself where it is still there, else to the next one that is,
 * or the last before it; null where none is left. `order` is how they stood before.
 */
export function followingOf(
  order: readonly string[],
  id: string,
  isThere: (id: string) => boolean,
): string | null {
  const at = order.indexOf(id)
  if (at < 0) return null
  return order.slice(at).find(isThere) ?? order.slice(0, at).findLast(isThere) ?? null
}
