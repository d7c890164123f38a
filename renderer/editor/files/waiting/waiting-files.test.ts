import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import type { StoredFile } from '../../../../server/contract/records/files.ts'
import { anchorAt } from '../../../../server/domain/anchors/anchor.ts'
import { ApiError, type ClientOf } from '../../../api/client-of.ts'
import { claimWriter } from '../../drafts.ts'
import { deliverWaiting } from './deliver-waiting.ts'
import { sendWaiting } from './send-waiting.ts'
import { memoryWaitingFiles } from './testing/memory-waiting-files.ts'
import { mostWaiting, NoRoomToWait, placeFor } from './waiting-file.ts'
import { WaitingFiles } from './waiting-files.ts'

const text = 'The quay is long. The boats are red.'
const after = (words: string) => {
  const at = text.indexOf(words) + words.length
  return anchorAt(text, at, at)
}
const picture = (bytes = 'a picture') => new Blob([bytes], { type: 'image/png' })
const waitingIn = (store = memoryWaitingFiles(), writer = 'here') =>
  new WaitingFiles({ store, documentId: 'd', token: 't', writer })
const begun = (id: string, words = 'long') =>
  ({ id, way: 'editing', name: `${id}.png`, anchor: after(words) }) as const
const stored = (name: string) =>
  ({ name, path: `files/${name}`, type: 'image/png', size: 9 }) as unknown as StoredFile

afterEach(() => vi.unstubAllGlobals())

test('a file finds its place in a text that has changed meanwhile, and none that would be a guess', () => {
  const anchor = after('long.')
  const placeIn = (now: string) => placeFor(now, anchor)?.start
  expect(placeIn(text)).toBe(17)
  expect(placeIn(`Before. ${text}`)).toBe(25)
  // What was typed last behind it, or before it.
  expect(placeIn(text.replace('long.', 'long. Now'))).toBe(17)
  expect(placeIn(text.replace('long.', 'long. It leaks!').replace('boats', 'ships'))).toBe(17)
  expect(placeIn('All else.')).toBeUndefined()
  const words = anchorAt(text, 4, 8)
  expect(placeFor(`Now: ${text}`, words)).toEqual({ start: 9, end: 13 })
  expect(placeFor(text.replace('quay', 'pier'), words)).toMatchObject({ start: 4 })
})

test('so much waits and no more, and where the browser takes nothing the page has it', async () => {
  const waiting = waitingIn()
  const large = { size: mostWaiting.bytes - 10, type: 'image/png' } as Blob
  expect(await waiting.keep(begun('large'), large)).toBe(true)
  await expect(waiting.keep(begun('more'), picture('more than ten bytes'))).rejects.toThrow(NoRoomToWait)
  await expect(waiting.keep(begun('more'), picture('more than ten bytes'))).rejects.toThrow('at most 50 MB')
  expect(waiting.wouldLose).toBe(false)

  const passing = waitingIn(memoryWaitingFiles({ isBroken: true }))
  expect(await passing.keep(begun('boat'), picture())).toBe(false)
  expect(passing.wouldLose).toBe(true)
  const [file] = await passing.takeUp('editing')
  expect(await (await passing.bytesOf(file!))!.text()).toBe('a picture')
  await passing.discard('boat')
  expect(passing.wouldLose).toBe(false)
})

test('what waits is brought into the text in its order, once, and what is refused is kept with the reason', async () => {
  const store = memoryWaitingFiles()
  const before = waitingIn(store, 'a window that is gone')
  for (const id of ['one', 'two', 'huge']) await before.keep(begun(id), picture(id))
  await before.keep({ ...begun('suggested'), way: 'suggesting' }, picture('suggested'))
  const waiting = waitingIn(store)
  let now = text
  let isThere = false
  const deliver = () =>
    deliverWaiting({
      waiting,
      text: () => now,
      add: ({ name }) => {
        if (!isThere) throw new ApiError('OFFLINE', 0, 'Away.')
        if (name === 'huge.png') throw new ApiError('PAYLOAD_TOO_LARGE', 413, 'This file is too large.')
        return Promise.resolve(stored(name))
      },
      write: ({ start, end }, { path }) => {
        now = `${now.slice(0, start)} ![](${path})${now.slice(end)}`
        return Promise.resolve()
      },
    })
  await expect(deliver()).rejects.toThrow('Away.')
  expect([now, store.files.size]).toEqual([text, 4])
  isThere = true
  expect(await deliver()).toEqual({ added: 2, areRefused: true })
  expect(now).toBe('The quay is long ![](files/one.png) ![](files/two.png). The boats are red.')
  expect([...store.files.keys()]).toEqual(['huge', 'suggested'])
  expect(store.files.get('huge')).toMatchObject({ refusal: 'This file is too large.', writer: 'here' })
  expect(await deliver()).toEqual({ added: 0, areRefused: true })

  // The page went after it was written, and before that was known.
  await waiting.keep(begun('one again'), picture('one'))
  await waiting.claim('one again', 'files/one.png', text)
  expect((await deliver()).added).toBe(0)
  expect(now.match(/one\.png/g)).toHaveLength(1)
  // The page went before it was written, where the same picture stood elsewhere already.
  await waiting.keep({ ...begun('twice'), name: 'one.png' }, picture('one'))
  await waiting.claim('twice', 'files/one.png', now)
  expect((await deliver()).added).toBe(1)
  expect(now.match(/one\.png/g)).toHaveLength(2)
})

test.each(['with locks', 'without'])(
  'of two windows that have the same file before them one writes it, %s',
  async (kind) => {
    if (kind === 'without') vi.stubGlobal('navigator', {})
    const store = memoryWaitingFiles()
    const [here, there] = [claimWriter(), claimWriter()]
    const [one, other] = [here, there].map(({ writer }) => waitingIn(store, writer)) as [
      WaitingFiles,
      WaitingFiles,
    ]
    await one.keep(begun('boat'), picture())
    // One that is open keeps it.
    expect(await other.takeUp('editing')).toEqual([])
    // One that seemed to be gone, as a page does that the browser has put to sleep, hasn't got it any more.
    await one.close()
    here.release()
    const taken = async () => (await other.takeUp('editing')).map(({ id }) => id)
    await expect.poll(taken).toEqual(['boat'])
    expect(await one.claim('boat', 'files/boat.png', text)).toBe(false)
    expect(await other.claim('boat', 'files/boat.png', text)).toBe(true)
    await other.discard('boat')
    expect(await one.claim('boat', 'files/boat.png', text)).toBe(false)
    await other.close()
  },
)

test('the worker sends the bytes of a link’s files, once, and leaves what is refused to be told', async () => {
  const store = memoryWaitingFiles()
  const waiting = waitingIn(store, 'a window that is gone')
  for (const id of ['one', 'two', 'false']) await waiting.keep(begun(id), picture(id))
  await new WaitingFiles({ store, documentId: 'other', token: 'other', writer: 'w' }).keep(
    begun('x'),
    picture(),
  )
  const there = ['two']
  const asked: string[] = []
  const sum = (content: string) => createHash('sha256').update(content).digest('hex')
  const api = {
    call: () => Promise.resolve(there.map((content) => ({ size: content.length, sha256: sum(content) }))),
    url: (_route: string, { query }: { query: { name: string } }) => query.name,
  } as unknown as ClientOf<'addFile' | 'listFiles'>
  let isThere = false
  const send = () =>
    sendWaiting({
      ...{ token: 't', store, api },
      fetch: (url) => {
        if (!isThere) return Promise.reject(new TypeError('Away.'))
        asked.push(url as string)
        const code = url === 'false.png' ? 'UNSUPPORTED_TYPE' : null
        const answer = { data: code ? null : {}, error: code && { code, message: 'No picture.' } }
        return Promise.resolve(Response.json(answer, { status: code ? 415 : 201 }))
      },
    })
  expect(await send()).toBe(false)
  isThere = true
  expect(await send()).toBe(true)
  expect(asked).toEqual(['one.png', 'false.png'])
  expect(store.files.size).toBe(4)
})
