import { expect, it } from 'vitest'
import { change, put, reopenAll, resolve, text, useSuggestions } from '../../testing/suggestions.ts'

useSuggestions()

const ways = ['all', 'the first', 'the second', 'both undone'] as const
/** Lines that begin or end within a line have line ends put around them. */
const isWithinLine = ({ first, second, side }: { first: string; second: string; side: string }) =>
  side === 'behind'
    ? first.startsWith('\n') && second.endsWith('\n')
    : first.endsWith('\n') && second.startsWith('\n')
const words = ['\n\nNew one.', ' new', 'New one.\n\n']
  .flatMap((first) =>
    [' And kept.', '\n\nKept.', 'Kept.\n\n'].flatMap((second) =>
      (['behind', 'before'] as const).flatMap((side) => ways.map((way) => ({ first, second, side, way }))),
    ),
  )
  .filter((one) => !isWithinLine(one))

it.each(words)(
  '%j: what is put in beside accepted words stands there again once they are taken back and accepted',
  async ({ first, second, side, way }) => {
    const start = 'One goes.\n\nTwo ends.\n'
    const at = first.endsWith('\n') ? 11 : 9
    await change(start)
    const one = await put(start, first, at)
    const between = await put(start, first, at)
    await resolve(one, 'accept')
    const now = await text()
    const other = await put(now, second, side === 'behind' ? at + first.length : at)
    const together = side === 'behind' ? first + second : second + first
    const expected = start.slice(0, at) + together + start.slice(at)
    if (way === 'both undone') {
      await resolve(other, 'accept')
      expect(await text()).toBe(expected)
      expect(await reopenAll([one.id, other.id])).toMatchObject({ status: 200 })
    } else await resolve(one, 'reopen')
    expect(await text()).toBe(start)
    for (const each of way === 'the second' ? [other, one] : [one, other]) await resolve(each, 'accept')
    expect(await text()).toBe(expected)
    await resolve(between, 'accept')
    expect(await text()).toContain(together)
  },
)
