import { GalleyError } from '../contract/errors.ts'
import type { BulkError, BulkMode } from '../contract/routes/parts.ts'
import type { PlacedAnchor } from './new-anchor.ts'

/** What is asked with several at once. */
export interface Bulk {
  mode?: BulkMode
  author_name?: string
}

/**
 * Makes several, one after the other. In the mode `all`, the first that can't be made ends it, and with the transaction
 * all before; else it says why, and the others are made. What is refused must have written nothing.
 */
export function makeEach<Item, Made>(
  items: readonly Item[],
  { mode = 'all', list }: { mode?: BulkMode | undefined; list: string },
  make: (item: Item, index: number) => Made,
): { made: Made | null; error: BulkError }[] {
  return items.map((item, index) => {
    try {
      return { made: make(item, index), error: null }
    } catch (error) {
      if (!(error instanceof GalleyError)) throw error
      const { code, message, field } = error
      if (mode === 'each') return { made: null, error: { code, message, ...(field && { field }) } }
      const at = `${list}.${index}`
      throw new GalleyError(code, `In “${at}”: ${message} None was made.`, {
        ...(code === 'VALIDATION_ERROR' && { field: field === undefined ? at : `${at}.${field}` }),
      })
    }
  })
}

/** Throws what kept an anchor from being placed. */
export function placedOf(placed: PlacedAnchor | GalleyError): PlacedAnchor {
  if (placed instanceof GalleyError) throw placed
  return placed
}
