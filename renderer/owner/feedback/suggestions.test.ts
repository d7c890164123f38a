import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeDocument } from './testing/fake-document.ts'
import { UNDO_MS } from '../../ui/notice.ts'
import { feedbackAtOnce } from './document-feedback.svelte.ts'
import { Suggestions } from './suggestions.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const text = 'A galley is the draft that goes out for review.\n'
async function opened(fake: FakeDocument) {
  const suggestions = new Suggestions(fake.session, feedbackAtOnce(fake.session, fake.notify))
  await suggestions.load()
  return suggestions
}

test('accepting shows at once, changes the text and offers the text before', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  const answer = fake.hold()
  const accepting = suggestions.accept(suggestions.pending[0]!)
  await vi.advanceTimersByTimeAsync(0)
  expect(suggestions.pending).toEqual([])
  answer()
  await accepting
  expect(fake.session.content).toContain('is sent out for review')
  const { action } = fake.notices.at(-1)!
  action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.session.content).toBe(text)
})

test('the text before is not offered once somebody else has changed the text too', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  const accept = suggestions.accept(suggestions.pending[0]!)
  fake.write(text.replace('A galley', 'The galley'))
  await accept
  expect(fake.notices.at(-1)!.action).toBeUndefined()
})

test('a change after the acceptance is not taken away by restoring', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  await suggestions.accept(suggestions.pending[0]!)
  fake.write('Something new.')
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.content).toBe('Something new.')
  expect(fake.notices.at(-1)).toMatchObject({ kind: 'error', text: expect.stringContaining('has changed') })
})

test('words that are gone are explained, and the suggestion stays pending', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  fake.write('Other text.')
  await suggestions.accept(suggestions.pending[0]!)
  expect(suggestions.pending).toHaveLength(1)
  expect(fake.notices).toMatchObject([
    { kind: 'error', text: expect.stringContaining('no longer in the text') },
  ])
})

test('one that was decided elsewhere is explained and shown as it is now', async () => {
  const fake = new FakeDocument(text)
  const { id } = fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  fake.suggestions.find((suggestion) => suggestion.id === id)!.status = 'rejected'
  await suggestions.accept(suggestions.pending[0]!)
  expect(fake.notices[0]!.text).toContain('already been accepted or rejected')
  expect(suggestions.all[0]!.status).toBe('rejected')
})

test('a rejection can be undone, and is final afterwards', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  suggestions.reject(suggestions.pending[0]!)
  expect(suggestions.all[0]!.status).toBe('rejected')
  fake.notices.at(-1)!.action!.run()
  expect(suggestions.pending).toHaveLength(1)
  suggestions.reject(suggestions.pending[0]!)
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect(fake.suggestions[0]!.status).toBe('rejected')
})

test('one’s own suggestion can be withdrawn', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out', { mine: true })
  const suggestions = await opened(fake)
  suggestions.withdraw(suggestions.pending[0]!)
  expect(suggestions.all).toEqual([])
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect(fake.suggestions).toEqual([])
})

test('accepting all takes those that can be applied, in one call, and says what is left', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('galley', 'proof')
  fake.addSuggestion('galley is', 'galley was')
  fake.addSuggestion('not there', 'x')
  const suggestions = await opened(fake)
  await suggestions.decideAll('accept')
  expect(fake.called('resolveSuggestions')).toBe(1)
  expect(fake.notices.at(-1)!.text).toMatch(/^1 suggestion accepted\. 1 left/)
  expect(fake.session.content).toContain('A proof is')
  expect(suggestions.pending).toHaveLength(2)
})

test('the text before is brought back, and as many suggestions as were accepted stay so', async () => {
  const fake = new FakeDocument(text)
  for (const [words, becomes] of [
    ['galley', 'proof'],
    ['draft', 'print'],
    ['goes out', 'is sent out'],
  ] as const)
    fake.addSuggestion(words, becomes)
  const suggestions = await opened(fake)
  const restored = async () => {
    fake.notices.at(-1)!.action!.run()
    await vi.advanceTimersByTimeAsync(0)
    return fake.notices.at(-1)!.text
  }
  await suggestions.accept(suggestions.pending[0]!)
  expect(await restored()).toContain('The suggestion stays in')
  await suggestions.decideAll('accept')
  expect(await restored()).toContain('The suggestions stay in')
})

test('rejecting all takes those that can’t be applied too', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('galley', 'proof')
  fake.addSuggestion('not there', 'x')
  const suggestions = await opened(fake)
  await suggestions.decideAll('reject')
  expect(suggestions.pending).toEqual([])
  expect(fake.content).toBe(text)
})

test('two acceptances one after the other both reach the text', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('galley', 'proof')
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  const [first, second] = suggestions.pending
  await Promise.all([suggestions.accept(first!), suggestions.accept(second!)])
  expect(fake.session.content).toBe('A proof is the draft that is sent out for review.\n')
})

test('pending ones come in the order of the text, those without a place last; decided ones the latest first', async () => {
  const fake = new FakeDocument(text)
  const gone = fake.addSuggestion('not there', 'x')
  const late = fake.addSuggestion('review', 'reading')
  const early = fake.addSuggestion('galley', 'proof')
  const old = fake.addSuggestion('draft', 'text', {
    status: 'rejected',
    resolved_at: '2026-01-01T00:00:00.000Z',
  })
  const recent = fake.addSuggestion('draft', 'text', {
    status: 'accepted',
    resolved_at: '2026-02-01T00:00:00.000Z',
  })
  const suggestions = await opened(fake)
  expect(suggestions.all.map(({ id }) => id)).toEqual([early, late, gone, recent, old].map(({ id }) => id))
  expect(suggestions.marks.map(({ id }) => id)).toEqual([early.id, late.id])
  expect(suggestions.shown).toHaveLength(3)
  suggestions.activate(old.id)
  expect(suggestions.filter).toBe('rejected')
})
