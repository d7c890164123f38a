import { expect, test } from 'vitest'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { inReadingOrder } from './suggestion-order.ts'

const made = (id: string, start: number | null, of: Partial<Suggestion> = {}) =>
  ({
    ...{ id, status: 'pending', created_at: `2026-01-0${id}`, resolved_at: null },
    ...{ range: start === null ? null : { start, end: start + 1 } },
    ...of,
  }) as Suggestion

test('suggestions stand in the order of the text, then those without a place, then what was decided last', () => {
  const all = [
    made('1', 40),
    made('2', null),
    made('3', 10),
    made('4', null, { status: 'rejected', resolved_at: '2026-02-01' }),
    made('5', null, { status: 'accepted', resolved_at: '2026-02-02' }),
    made('6', 10),
  ]
  expect(inReadingOrder(all).map(({ id }) => id)).toEqual(['3', '6', '1', '2', '5', '4'])
})
