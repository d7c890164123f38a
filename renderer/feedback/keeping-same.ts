/** The new list with the old objects wherever nothing changed, so that nothing is drawn again for nothing. */
export function keepingSame<T extends { id: string }>(
  old: readonly T[],
  fetched: readonly T[],
): readonly T[] {
  const known = new Map(old.map((item) => [item.id, item]))
  const items = fetched.map((item) => {
    const same = known.get(item.id)
    return same && JSON.stringify(same) === JSON.stringify(item) ? same : item
  })
  return items.length === old.length && items.every((item, i) => item === old[i]) ? old : items
}
