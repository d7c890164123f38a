/** A caret and how wide the flag with its owner’s name is, in pixels of the text’s whole height and width. */
interface FlagPole {
  left: number
  top: number
  bottom: number
  width: number
}

/** Where a flag is: so far to the side of its caret’s left edge, and so far above its upper edge or below its lower. */
export interface FlagPlace {
  shift: number
  above: number | null
  below: number
}

/**
 * Where flags can be read: within a text so wide, and none above another. The first is next to its caret; those that
 * come after make way. None covers the line that one writes in oneself, if it has room on the caret’s other side.
 */
export function placeFlags(
  poles: readonly FlagPole[],
  height: number,
  room: number,
  ownLine: Pick<FlagPole, 'top' | 'bottom'> | null = null,
): FlagPlace[] {
  const placed: { left: number; right: number; top: number }[] = []
  return poles.map(({ left, top, bottom, width }) => {
    const start = Math.max(0, Math.min(left, room - width))
    const isFree = (at: number) =>
      !placed.some(
        (other) =>
          other.left < start + width &&
          start < other.right &&
          other.top < at + height &&
          at < other.top + height,
      )
    const coversOwn = ownLine !== null && ownLine.top < top && ownLine.bottom > top - height
    const steps = placed.map((_, i) => i * height).concat(placed.length * height)
    const above = coversOwn
      ? null
      : (steps.find((step) => top - height - step >= 0 && isFree(top - height - step)) ?? null)
    const below = above === null ? (steps.find((step) => isFree(bottom + step)) ?? 0) : 0
    placed.push({
      left: start,
      right: start + width,
      top: above === null ? bottom + below : top - height - above,
    })
    return { shift: start - left, above, below }
  })
}
