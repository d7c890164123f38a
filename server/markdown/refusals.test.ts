import { expect, it } from 'vitest'
import { Refusals } from './refusals.ts'

it('a refused text is known for five minutes, and no other is', () => {
  let now = 0
  const refusals = new Refusals(() => now)
  refusals.add('one', 'time')
  refusals.add('three', 'size')
  expect([refusals.find('one'), refusals.find('two'), refusals.find('three')]).toEqual(['time', null, 'size'])
  now = 5 * 60_000 + 1
  expect([refusals.find('one'), refusals.find('three')]).toEqual([null, null])
})

it('only the latest refused texts are known', () => {
  const refusals = new Refusals(() => 0)
  for (let n = 0; n < 300; n++) refusals.add(`text ${n}`, 'depth')
  expect([refusals.find('text 0'), refusals.find('text 299')]).toEqual([null, 'depth'])
})
