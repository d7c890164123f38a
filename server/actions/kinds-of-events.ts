import { invalid } from '../contract/errors.ts'
import { eventKinds, groupOf, type EventKind } from '../contract/events.ts'

/**
 * The kinds of events that some names stand for, each a kind or what stands before the dot of several.
 * @throws GalleyError VALIDATION_ERROR
 */
export const kindsOf = (names: readonly string[] | undefined, field = 'kind'): EventKind[] | undefined =>
  names?.flatMap((name) => {
    const kinds = eventKinds.filter((one) => one === name || groupOf(one) === name)
    if (kinds.length > 0) return kinds
    throw invalid(
      `“${field}” must be one or more of these${field === 'kind' ? ', with commas between' : ''}: ${eventKinds.join(', ')}; or what stands before the dot, for all of those.`,
      field,
    )
  })
