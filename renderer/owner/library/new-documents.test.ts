import { expect, it } from 'vitest'
import { ApiError, type ClientOf } from '../../api/client-of.ts'
import { NewDocuments } from './new-documents.ts'

function scene(answers: Record<string, ApiError> = {}) {
  const kept = new Map<string, string>()
  const keep = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  }
  const asked: object[] = []
  const api = {
    url: () => '',
    call: (name: string, options: { params: { id: string } }) => {
      asked.push({ name, ...options })
      const error = answers[options.params.id]
      return error ? Promise.reject(error) : Promise.resolve({ deleted: true })
    },
  } as unknown as ClientOf
  return { asked, kept, documents: new NewDocuments(api, keep), another: new NewDocuments(api, keep) }
}

it('asks the server to delete what was begun here only if it was never used', async () => {
  const { documents, another, asked } = scene()
  documents.note('a')
  expect(another.has('a')).toBe(true)
  expect(await documents.dropUnused()).toEqual(['a'])
  expect(asked).toEqual([
    { name: 'deleteDocument', params: { id: 'a' }, query: { only_unused: 'true' }, keepalive: true },
  ])
  expect(another.has('a')).toBe(false)
  expect(await another.dropUnused()).toEqual([])
})

it('leaves alone what was used, and asks about it no more', async () => {
  const { documents } = scene({ a: new ApiError('PRECONDITION_FAILED', 412, 'no') })
  documents.note('a')
  expect(await documents.dropUnused()).toEqual([])
  expect(documents.has('a')).toBe(false)
})

it('asks again later where no answer came', async () => {
  const { documents } = scene({ a: new ApiError('OFFLINE', 0, 'no') })
  documents.note('a')
  expect(await documents.dropUnused()).toEqual([])
  expect(documents.has('a')).toBe(true)
})

it('leaves alone what a window has open', async () => {
  const { documents, another, asked } = scene()
  documents.note('a')
  const release = documents.hold('a')
  await expect.poll(async () => (await navigator.locks.query()).held?.length).toBe(1)
  expect(await another.dropUnused()).toEqual([])
  expect(asked).toEqual([])
  release()
  await expect.poll(async () => (await navigator.locks.query()).held?.length).toBe(0)
  expect(await another.dropUnused()).toEqual(['a'])
})

it('makes nothing of what it can’t read', () => {
  const { documents, kept } = scene()
  for (const text of ['{', '{}', 'null', '[1,null]']) {
    kept.set('galley-new-documents', text)
    expect(documents.has('a')).toBe(false)
  }
})

it('leaves alone what is begun while it looks', async () => {
  const { documents, asked } = scene()
  documents.note('a')
  const dropped = documents.dropUnused()
  documents.note('b')
  documents.hold('b')
  expect(await dropped).toEqual(['a'])
  expect(asked).toHaveLength(1)
  expect(documents.has('b')).toBe(true)
})
