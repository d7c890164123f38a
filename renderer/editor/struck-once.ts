/** What a suggestion takes out, in places of whatever kind; nothing where both are the same. */
interface Taking<Place> {
  id: string
  from: Place
  to: Place
}

/**
 * In order, with from where on each is struck: of words that several suggestions take out, the one that begins first
 * strikes them, and of those that begin together the shorter one, so that the other is seen behind it. Wherever
 * suggestions are drawn in a text it is this that says which is seen.
 */
export function struckOnce<Place, One>(
  takings: readonly (One & Taking<Place>)[],
  compare: (one: Place, other: Place) => number,
): { one: One & Taking<Place>; from: Place; isCovered: boolean }[] {
  const inOrder = takings.toSorted((a, b) => {
    const order = compare(a.from, b.from) || compare(a.to, b.to)
    // What is only put in stays in the order in which it came.
    if (order !== 0 || compare(a.from, a.to) === 0) return order
    return a.id < b.id ? -1 : Number(a.id > b.id)
  })
  let end: Place | null = null
  return inOrder.map((one) => {
    const isCovered = end !== null && compare(end, one.from) > 0 && compare(one.from, one.to) < 0
    const from = isCovered ? end! : one.from
    if (end === null || compare(one.to, end) > 0) end = one.to
    return { one, from, isCovered }
  })
}
