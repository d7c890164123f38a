import { afterEach, expect, it, vi } from 'vitest'
import { newsOf, OtherWindows } from './other-windows.ts'

const open: OtherWindows[] = []
const newWindow = () => {
  const made = new OtherWindows('test')
  open.push(made)
  return made
}
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

it('says which requests concern other windows, and of which document', () => {
  expect(newsOf('PATCH', '/api/documents/d1')).toEqual({ document: 'd1' })
  expect(newsOf('DELETE', '/api/documents/d1?x=1')).toEqual({ document: 'd1' })
  expect(newsOf('POST', '/api/documents/d1/comments/c1/replies')).toEqual({ document: 'd1' })
  expect(newsOf('POST', '/api/documents')).toEqual({ documents: true })
  expect(newsOf('PATCH', '/api/settings')).toEqual({ settings: true })
  expect(newsOf('GET', '/api/documents/d1')).toBeNull()
  expect(newsOf('POST', '/api/keys')).toBeNull()
})

it('is heard by every other window, and never by the one that did it', async () => {
  const [one, two, three] = [newWindow(), newWindow(), newWindow()]
  const heard = [one, two, three].map((window) => {
    const listener = vi.fn()
    window.listen(listener)
    return listener
  })
  one.tell({ document: 'd1' })
  await vi.waitFor(() => expect(heard[2]).toHaveBeenCalledWith({ document: 'd1' }))
  expect(heard[1]).toHaveBeenCalledOnce()
  expect(heard[0]).not.toHaveBeenCalled()
})

it('of other documents says nothing to who listens for one', async () => {
  const [one, two] = [newWindow(), newWindow()]
  const all = vi.fn()
  const mine = vi.fn()
  two.listen(all)
  const stop = two.listenTo('d1', mine)
  one.tell({ document: 'd2' })
  one.tell({ documents: true })
  one.tell({ document: 'd1' })
  await vi.waitFor(() => expect(all).toHaveBeenCalledTimes(3))
  expect(mine).toHaveBeenCalledOnce()
  stop()
  one.tell({ document: 'd1' })
  await vi.waitFor(() => expect(all).toHaveBeenCalledTimes(4))
  expect(mine).toHaveBeenCalledOnce()
})

it('says what is heard of a document to who listens for it, and of lists only what they show', () => {
  const one = newWindow()
  const [ofOne, ofLists] = [vi.fn(), vi.fn()]
  one.listenTo('d1', ofOne)
  one.listenToDocuments(ofLists)
  const change = (what: 'content' | 'links') => ({ type: 'changed', document_id: 'd1', what }) as const
  one.hear({ document: 'd1', change: change('content') })
  one.hear({ document: 'd1', change: change('links') })
  one.hear({ silence: true })
  one.hear({ everything: true })
  expect(ofOne.mock.calls).toEqual([[change('content')], [change('links')], ['silence'], []])
  expect(ofLists).toHaveBeenCalledTimes(2)
})
