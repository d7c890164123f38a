import { expect, it } from 'vitest'
import { ApiError, type ApiClient } from '../../api/client.ts'
import { Deletions } from './deletions.svelte.ts'

function scene(error?: ApiError) {
  const sent: string[] = []
  const answers: (() => void)[] = []
  const api = {
    url: () => '',
    call: (name: string, { params, keepalive }: { params: { id: string }; keepalive?: boolean }) => {
      sent.push(`${name} ${params.id}${keepalive ? ' to its end' : ''}`)
      return new Promise((resolve, reject) =>
        answers.push(() => (error ? reject(error) : resolve({ id: params.id }))),
      )
    },
  } as unknown as ApiClient
  const deletions = new Deletions(api)
  const answer = () => answers.shift()!()
  return { deletions, sent, answer }
}
const nothing = () => Promise.resolve()
const one = { id: 'a', title: 'A' }
const two = { id: 'b', title: 'B' }

it('puts a document into the trash at once, in a request that outlives the page', async () => {
  const { deletions, sent, answer } = scene()
  const done = deletions.delete(one, nothing)
  expect(sent).toEqual(['trashDocument a to its end'])
  expect(deletions.has('a')).toBe(true)
  expect(deletions.last).toBeUndefined()
  answer()
  await done
  expect(deletions.last).toEqual(one)
})

it('hides it until no list has it any more', async () => {
  const { deletions, answer } = scene()
  let forgotten = () => {}
  const done = deletions.delete(one, () => new Promise<void>((resolve) => (forgotten = resolve)))
  answer()
  await expect.poll(() => deletions.last).toEqual(one)
  expect(deletions.has('a')).toBe(true)
  forgotten()
  await done
  expect(deletions.has('a')).toBe(false)
})

it('takes back the last first', async () => {
  const { deletions, sent, answer } = scene()
  for (const each of [one, two]) {
    const done = deletions.delete(each, nothing)
    answer()
    await done
  }
  expect(deletions.last).toEqual(two)
  const back = deletions.undo('b')
  answer()
  expect(await back).toEqual({ id: 'b' })
  expect(sent.at(-1)).toBe('restoreTrashed b')
  expect(deletions.last).toEqual(one)
  deletions.forget('a')
  expect(deletions.last).toBeUndefined()
})

it('shows a document again that could not be deleted', async () => {
  const { deletions, answer } = scene(new ApiError('OFFLINE', 0, 'no'))
  const done = deletions.delete(one, nothing)
  answer()
  await expect(done).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(deletions.has('a')).toBe(false)
  expect(deletions.last).toBeUndefined()
})

it('is content with a document that is gone already, which can’t be taken back', async () => {
  const { deletions, answer } = scene(new ApiError('NOT_FOUND', 404, 'no'))
  const done = deletions.delete(one, nothing)
  answer()
  await done
  expect(deletions.last).toBeUndefined()
})

it('waits for what is on its way', async () => {
  const { deletions, answer } = scene()
  let settled = false
  const done = deletions.delete(one, nothing)
  const waiting = deletions.settled().then(() => (settled = true))
  await nothing()
  expect(settled).toBe(false)
  answer()
  await Promise.all([waiting, done])
})
