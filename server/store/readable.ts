import { isDamage } from './database-trouble.ts'

/** What is read; undefined where the file is damaged there. */
export function unlessUnreadable<T>(read: () => T, isExpected = isDamage): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isExpected(error)) throw error
    return undefined
  }
}

/** Rows by revision as far as they can be read: from the first on, and where that ends early, from the last one back. */
export interface ReadableRows<Row> {
  first: Row[]
  /** Those behind damage, also in order; null where there is none. */
  behind: Row[] | null
}

export function readableRows<Row extends { revision: number }>(
  forwards: Iterable<Row>,
  backwards: Iterable<Row>,
): ReadableRows<Row> {
  const [first, isWhole] = readable(forwards)
  if (isWhole) return { first, behind: null }
  const known = first.at(-1)?.revision ?? 0
  return {
    first,
    behind: readable(backwards)[0]
      .filter(({ revision }) => revision > known)
      .reverse(),
  }
}

function readable<Row>(rows: Iterable<Row>): [rows: Row[], isWhole: boolean] {
  const read: Row[] = []
  const isWhole = unlessUnreadable(() => {
    for (const row of rows) read.push(row)
    return true
  })
  return [read, isWhole ?? false]
}
