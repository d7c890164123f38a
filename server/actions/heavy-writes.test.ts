import { expect, test } from 'vitest'
import { HeavyWrites } from './heavy-writes.ts'

const turn = (document: string, guest = false) => ({ document, member: guest ? 'link' : 'owner', guest })
const settled = () => new Promise(setImmediate)

test('one at a time has a document; guests wait for its owner, and another document for nobody', async () => {
  const heavy = new HeavyWrites()
  const order: string[] = []
  const begin = async (name: string, of: string, guest = false) => {
    const end = await heavy.begin(turn(of, guest))
    order.push(name)
    return end
  }
  const first = await begin('first', 'a')
  const guest = begin('guest', 'a', true)
  const owner = begin('owner', 'a')
  const other = await begin('other', 'b')
  await settled()
  expect(order).toEqual(['first', 'other'])
  first()
  ;(await owner)()
  ;(await guest)()
  other()
  expect(order.slice(2)).toEqual(['owner', 'guest'])
  await heavy.begin(turn('a'))
})

test('only so many guests may wait', async () => {
  const heavy = new HeavyWrites()
  const end = await heavy.begin(turn('a', true))
  const waiting = Promise.allSettled(
    Array.from({ length: 40 }, () => heavy.begin(turn('a', true)).then((done) => done())),
  )
  await settled()
  end()
  expect((await waiting).filter(({ status }) => status === 'rejected')).toHaveLength(8)
})
