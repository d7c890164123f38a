import { expect, it } from 'vitest'
import type { StoredFile } from '../../../server/contract/records/files.ts'
import { KnownFiles } from './known-files.ts'

const boat = {
  ...{ id: '1', name: 'boat.png', type: 'image/png', size: 9, width: 80, height: 60 },
  ...{ sha256: 'a', path: 'files/boat.png' },
} satisfies StoredFile

it('asks once for all that a text shows, and again for a name that came later', async () => {
  let answer = [boat]
  let asked = 0
  const known = new KnownFiles(() => {
    asked++
    return Promise.resolve(answer)
  })
  const told = () => new Promise<void>((resolve) => known.follow(resolve))
  expect([known.find('boat.png'), known.find('gone.png')]).toEqual([undefined, undefined])
  await told()
  expect([known.find('boat.png'), known.find('gone.png'), asked]).toEqual([boat, null, 1])

  answer = [boat, { ...boat, name: 'sea.png' }]
  expect(known.find('sea.png')).toBeUndefined()
  await told()
  expect([known.find('sea.png')?.width, known.find('gone.png'), asked]).toEqual([80, null, 2])
})

it('calls nothing missing while the server can’t be heard', async () => {
  const known = new KnownFiles(() => Promise.reject(new Error('offline')))
  known.find('boat.png')
  await new Promise<void>((resolve) => known.follow(resolve))
  expect(known.find('boat.png')).toMatchObject({ width: null })
})
