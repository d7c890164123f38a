// What is written right at the words of a suggestion by somebody who sees it drawn stays beside it.
import { expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { as, galley, id, list, resolve, suggest, text, useSuggestions } from '../../testing/suggestions.ts'

useSuggestions()

const whole = 'one two one two one'
/** For the second “two”. */
const anchored = (from = 12) => ({
  anchor: {
    ...{ exact: whole.slice(from, from + 3), start: from },
    ...{ prefix: whole.slice(0, from), suffix: whole.slice(from + 3) },
  },
})

let pushes = 0
/** Writes at a place of the text, and says beside which suggestions. */
async function write(at: number, to: number, insert: string, beside?: readonly Suggestion[]) {
  const { data } = await galley.call('GET', `/api/documents/${id}`, { as })
  const { content, revision } = data as { content: string; revision: number }
  const answer = await galley.call('POST', `/api/documents/${id}/changes`, {
    as,
    json: {
      ...{ base: revision, client: `client-${String(pushes++).padStart(16, '0')}`, number: 1 },
      changes: [at, [to - at, insert], content.length - to].filter((part) => part !== 0),
      ...(beside && { beside: beside.map((one) => one.id) }),
    },
  })
  expect(answer.status).toBe(200)
}
const rangeOf = async (one: Suggestion) => (await list()).find(({ id }) => id === one.id)?.range

it.each([
  { what: 'behind them', at: 15, to: 15, insert: 's', place: 12, accepted: 'one two one 2s one' },
  { what: 'before them', at: 12, to: 12, insert: 'un', place: 14, accepted: 'one two one un2 one' },
  { what: 'by taking out a space', at: 11, to: 12, insert: '', place: 11, accepted: 'one two one2 one' },
])('stays beside what is suggested: $what', async ({ at, to, insert, place, accepted }) => {
  const one = await suggest('two', '2', anchored())
  await write(at, to, insert, [one])
  expect(await rangeOf(one)).toEqual({ start: place, end: place + 3 })
  const grown = await text()
  expect((await resolve(one, 'accept')).status).toBe(200)
  expect(await text()).toBe(accepted)
  expect((await resolve(one, 'reopen')).status).toBe(200)
  expect(await text()).toBe(grown)
  expect(await rangeOf(one)).toEqual({ start: place, end: place + 3 })
})

it('makes other words of those of whom it isn’t said', async () => {
  const [one, other] = [await suggest('two', '2', anchored()), await suggest('two', '2', anchored(4))]
  await write(15, 15, 's', [other])
  expect([await rangeOf(one), await rangeOf(other)]).toEqual([null, { start: 4, end: 7 }])
  // Nor are they brought back by what is written there then.
  await write(15, 15, 'x', [one])
  expect(await rangeOf(one)).toBe(null)
})

it('says nothing of words that the same change has touched', async () => {
  const one = await suggest('two', '2', anchored())
  await write(14, 15, 'os', [one])
  expect(await rangeOf(one)).toBe(null)
})
