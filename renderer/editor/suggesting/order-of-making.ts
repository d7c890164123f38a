/** Suggestions as the server has them in order: by when they were made. */
export const inOrderOfMaking = <One extends { created_at: string }>(items: readonly One[]): One[] =>
  items.toSorted((one, other) =>
    one.created_at < other.created_at ? -1 : Number(one.created_at > other.created_at),
  )
