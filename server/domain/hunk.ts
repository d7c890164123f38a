/** One place where two texts differ: `before.slice(fromA, toA)` became `after.slice(fromB, toB)`. */
export interface Hunk {
  fromA: number
  toA: number
  fromB: number
  toB: number
}

/** Hunks in order, those that touch made one. */
export function joinTouching(hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    if (last && last.toA === hunk.fromA && last.toB === hunk.fromB) {
      last.toA = hunk.toA
      last.toB = hunk.toB
    } else joined.push({ ...hunk })
  }
  return joined
}

/** How much of both texts it is. */
export const sizeOf = ({ fromA, toA, fromB, toB }: Hunk) => toA - fromA + toB - fromB
