import { expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { as, at, change, galley, list, put, resolve, suggest, text, useSuggestions } from '../../testing/suggestions.ts' // prettier-ignore

useSuggestions()

type Made = Record<string, Suggestion>
const out = (content: string, exact: string) =>
  suggest(exact, '', { anchor: { exact, prefix: '', suffix: '', start: content.indexOf(exact) } })

/** `+A` accepts, `-A` rejects, `~A` takes that back; `+AB` does it to both at once. */
async function decide(made: Made, steps: string) {
  for (const step of steps.split(' ')) {
    const ids = [...step.slice(1)].map((name) => made[name]!.id)
    const action = step[0] === '+' ? 'accept' : step[0] === '-' ? 'reject' : 'reopen'
    const { data } = await galley.call('POST', `${at}/resolve`, { as, json: { action, ids } })
    expect((data as { error: string | null }[]).map(({ error }) => error)).toEqual(ids.map(() => null))
  }
}
const rangesOf = async (made: Made) => {
  const all = await list()
  return Object.values(made).map(({ id }) => all.find((one) => one.id === id)!.range)
}

it('has what was written on behind a line before the lines that had been taken out behind it', async () => {
  const whole = 'Buy milk.\n\nSell eggs.'
  await change(whole)
  const gone = await out(whole, '\n\nSell eggs.')
  await resolve(gone, 'accept')
  await change('Buy milk. And bread.')
  expect((await resolve(gone, 'reopen')).status).toBe(200)
  expect(await text()).toBe('Buy milk. And bread.\n\nSell eggs.')
  expect((await list())[0]!.range).toEqual({ start: 20, end: 32 })
})

it.each([
  '+A +D ~D +D ~A ~D',
  '+AD ~D +D ~A ~D',
  '-X +AD ~A ~X ~D',
  '+B -X +A ~B ~A ~X',
  '+AD ~A ~D',
  '+DB ~B ~D',
])('after %s all stands where it stood first', async (steps) => {
  const whole = 'One.\n\nTwo two.\n\nThree.\n'
  await change(whole)
  const made: Made = {
    A: await put(whole, 'New a. ', 6),
    D: await out(whole, 'Two '),
    B: await out(whole, 'two.\n\n'),
    X: await put(whole, '\n\nNew x.', 14),
  }
  const first = await rangesOf(made)
  await decide(made, steps)
  expect(await text()).toBe(whole)
  expect(await rangesOf(made)).toEqual(first)
})

it.each(['+Y +B -X ~B +B ~BXY', '+WNM ~W +W ~WM +W ~WNM'])(
  'after %s each says what it said where it stood, though what it stood beside was put in by others',
  async (steps) => {
    const whole = 'One.\n\nTwo.\n\nThree.\n'
    await change(whole)
    const made: Made = {
      N: await put(whole, 'New n.\n\n', 0),
      M: await put(whole, 'New m.\n\n', 0),
      W: await suggest('One.', 'Other.', { anchor: { exact: 'One.', start: 0 } }),
      X: await put(whole, '\n\nNew x.', 10),
      Y: await put(whole, '\n\nNew y.', 10),
      B: await out(whole, 'Two.\n\n'),
    }
    const said = async () => (await list()).map((one) => [one.id, one.range, one.suggested_text])
    const first = await said()
    await decide(made, steps)
    expect(await text()).toBe(whole)
    expect(await said()).toEqual(first)
  },
)

it('takes no line end along that nobody wrote, of an insertion at the beginning with two neighbours that go', async () => {
  const whole = 'One two.\n\nThree.\n'
  await change(whole)
  const made: Made = {
    M: await put(whole, 'Maybe ', 0),
    D: await out(whole, 'One '),
    E: await out(whole, 'two.'),
  }
  const first = await rangesOf(made)
  await decide(made, '+MDE')
  expect(await text()).toBe('Maybe \n\nThree.\n')
  await decide(made, '~M')
  expect(await text()).toBe('\n\nThree.\n')
  await decide(made, '~D ~E')
  expect(await text()).toBe(whole)
  expect(await rangesOf(made)).toEqual(first)
})

it('has a rejected insertion beside its neighbour’s new marks once it is reopened', async () => {
  const whole = await text()
  const made: Made = {
    N: await put(whole, ' new', 7),
    S: await suggest('two', '**two**', { anchor: { exact: 'two', start: 4 } }),
  }
  await decide(made, '-N +S ~N')
  expect(await text()).toBe('one **two** one two one')
  await decide(made, '+N')
  expect(await text()).toBe('one **two** new one two one')
})

it('takes back words that others changed and put back exactly, and not words that these only begin with', async () => {
  const one = await suggest('two', 'red', { anchor: { exact: 'two', start: 4 } })
  await resolve(one, 'accept')
  for (const next of [
    'one reddish one two one',
    'one red one two one',
    'one blue one two one',
    'one red one two one',
  ])
    await change(next)
  expect((await resolve(one, 'reopen')).status).toBe(200)
  expect(await text()).toBe('one two one two one')
  await resolve(one, 'accept')
  for (const next of ['one  one two one', 'one red one two one', 'one redder one two one']) await change(next)
  expect((await resolve(one, 'reopen')).code).toBe('TEXT_NOT_FOUND')
})

it('takes back which of two without anchors still stands, though they were accepted together', async () => {
  await change('The cat sat on the mat.\n')
  const [cat, mat] = [await suggest('cat', 'dog'), await suggest('mat', 'rug')]
  const ids = [cat.id, mat.id]
  await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept', ids } })
  await change('The dog sat on the rag.\n')
  const { data } = await galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen', ids } })
  expect((data as { error: string | null }[]).map(({ error }) => error)).toEqual([null, 'TEXT_NOT_FOUND'])
  expect(await text()).toBe('The cat sat on the rag.\n')
})
