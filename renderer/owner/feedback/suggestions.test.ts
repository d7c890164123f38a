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

const undo = async (fake: FakeDocument) => {
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
}

test('accepting shows at once and changes the text; undone, it is pending and the text is as it was', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  const answer = fake.hold()
  const accepting = suggestions.decisions.accept(suggestions.pending[0]!)
  await vi.advanceTimersByTimeAsync(0)
  expect(suggestions.pending).toEqual([])
  answer()
  await accepting
  expect(fake.session.content).toContain('is sent out for review')
  fake.write(fake.content.replace('A galley', 'The galley'))
  await undo(fake)
  expect(fake.session.content).toBe(text.replace('A galley', 'The galley'))
  expect(suggestions.pending).toHaveLength(1)
})

test('an acceptance whose words were changed since stays, and it is said why', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  await suggestions.decisions.accept(suggestions.pending[0]!)
  fake.write('Something new.')
  await undo(fake)
  expect(fake.content).toBe('Something new.')
  expect(suggestions.all[0]!.status).toBe('accepted')
  expect(fake.notices.at(-1)).toMatchObject({
    kind: 'error',
    text: expect.stringContaining('stays accepted'),
  })
})

test('words that are gone are explained, and the suggestion stays pending', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  fake.write('Other text.')
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(suggestions.pending).toHaveLength(1)
  expect(fake.notices).toMatchObject([
    { kind: 'error', text: expect.stringContaining('aren’t in the text as they were') },
  ])
})

test('one that was decided elsewhere is explained and shown as it is now', async () => {
  const fake = new FakeDocument(text)
  const { id } = fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  fake.suggestions.find((suggestion) => suggestion.id === id)!.status = 'rejected'
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(fake.notices[0]!.text).toContain('already been accepted or rejected')
  expect(suggestions.all[0]!.status).toBe('rejected')
})

test('an undo that couldn’t be made can be tried again', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  await suggestions.decisions.accept(suggestions.pending[0]!)
  const undoing = fake.notices.at(-1)!.action!.run
  fake.refuse('OFFLINE', 0)
  undoing()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.notices.at(-1)).toMatchObject({ kind: 'error', action: { label: 'Try again' } })
  await undo(fake)
  expect([fake.content, suggestions.pending.length]).toEqual([text, 1])
})

test('an undo is of the decision that it was offered for, and of none that came after', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  await suggestions.decisions.accept(suggestions.pending[0]!)
  const { run } = fake.notices.at(-1)!.action!
  await suggestions.decisions.reopen(suggestions.all[0]!)
  await suggestions.decisions.reject(suggestions.pending[0]!)
  run()
  await vi.advanceTimersByTimeAsync(0)
  expect(suggestions.all[0]!.status).toBe('rejected')
  expect(fake.notices.at(-1)!.text).toContain('nothing to undo')
})

test('a rejection is made at once, and can be undone then and later', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  for (const again of [() => undo(fake), () => suggestions.decisions.reopen(suggestions.all[0]!)]) {
    await suggestions.decisions.reject(suggestions.pending[0]!)
    expect([suggestions.all[0]!.status, fake.suggestions[0]!.status]).toEqual(['rejected', 'rejected'])
    await again()
    expect([suggestions.pending.length, fake.suggestions[0]!.status]).toEqual([1, 'pending'])
  }
  expect(fake.content).toBe(text)
})

test('a rejection that the server refuses is explained, and taken back', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  fake.refuse('BUSY', 503)
  await suggestions.decisions.reject(suggestions.pending[0]!)
  expect(suggestions.pending).toHaveLength(1)
  expect(fake.notices).toMatchObject([{ kind: 'error', text: expect.stringContaining('reject') }])
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

test('one’s own suggestion that another window has changed since stays, and is shown as it is now', async () => {
  const fake = new FakeDocument(text)
  const { id } = fake.addSuggestion('goes out', 'is sent out', { mine: true })
  const suggestions = await opened(fake)
  suggestions.withdraw(suggestions.pending[0]!)
  fake.suggestions = fake.suggestions.map((one) => ({
    ...one,
    suggested_text: 'leaves',
    edited_at: new Date().toISOString(),
  }))
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect(suggestions.pending).toMatchObject([{ id, suggested_text: 'leaves' }])
  expect(fake.notices.at(-1)!.text).toContain('Its card shows what it suggests now')
  suggestions.withdraw(suggestions.pending[0]!)
  await vi.advanceTimersByTimeAsync(UNDO_MS)
  expect(fake.suggestions).toEqual([])
})

test('accepting all takes those that can be applied, in one call, and says what is left', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('galley', 'proof')
  const late = fake.addSuggestion('the draft', 'a draft')
  fake.addSuggestion('not there', 'x')
  const suggestions = await opened(fake)
  fake.suggestions.find(({ id }) => id === late.id)!.original_text = 'gone meanwhile'
  await suggestions.decisions.decideAll('accept')
  expect(fake.called('resolveSuggestions')).toBe(1)
  expect(fake.notices.at(-1)!.text).toMatch(/^1 suggestion accepted\. 1 left/)
  expect(fake.session.content).toContain('A proof is')
  expect(suggestions.pending).toHaveLength(2)
})

test('accepting all is undone at once, but for what was changed since', async () => {
  const fake = new FakeDocument(text)
  for (const [words, becomes] of [
    ['galley', 'proof'],
    ['draft', 'print'],
    ['goes out', 'is sent out'],
  ] as const)
    fake.addSuggestion(words, becomes)
  const suggestions = await opened(fake)
  await suggestions.decisions.decideAll('accept')
  await undo(fake)
  expect(fake.session.content).toBe(text)
  expect(fake.notices.at(-1)!.text).toBe('3 suggestions pending again.')
  await suggestions.decisions.decideAll('accept')
  fake.write(fake.content.replace('print', 'sheet'))
  await undo(fake)
  expect(fake.session.content).toBe(text.replace('draft', 'sheet'))
  expect(fake.notices.at(-1)!.text).toMatch(/^2 suggestions pending again\. One stays as it is/)
})

test('rejecting all takes those that can’t be applied too', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('galley', 'proof')
  fake.addSuggestion('not there', 'x')
  const suggestions = await opened(fake)
  await suggestions.decisions.decideAll('reject')
  expect(suggestions.pending).toEqual([])
  expect(fake.content).toBe(text)
})

test('two acceptances one after the other both reach the text', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('galley', 'proof')
  fake.addSuggestion('goes out', 'is sent out')
  const suggestions = await opened(fake)
  const [first, second] = suggestions.pending
  await Promise.all([suggestions.decisions.accept(first!), suggestions.decisions.accept(second!)])
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

test('of several for the same words one is drawn; accepting it rejects the others, and one undo takes all of it back', async () => {
  const fake = new FakeDocument(text)
  for (const words of ['is sent out', 'leaves', 'travels']) fake.addSuggestion('goes out', words)
  const suggestions = await opened(fake)
  expect(suggestions.groups.map((group) => group.length)).toEqual([3])
  const shown = () => suggestions.marks.map(({ suggestion }) => suggestion!.shown)
  expect(shown()).toEqual(['changes', 'original', 'original'])
  suggestions.activate(suggestions.pending[1]!.id)
  expect(shown()).toEqual(['original', 'changes', 'original'])
  await suggestions.decisions.accept(suggestions.pending[1]!)
  expect(fake.content).toContain('that leaves for review')
  expect(suggestions.all.map(({ status }) => status).sort()).toEqual(['accepted', 'rejected', 'rejected'])
  expect(fake.notices.at(-1)!.text).toBe('Suggestion accepted. The 2 others for the same words are rejected.')
  await undo(fake)
  expect(fake.content).toBe(text)
  expect(suggestions.pending).toHaveLength(3)
})

test('accepting all chooses nothing where there are alternatives; accepting a person’s does, and rejects the others', async () => {
  const fake = new FakeDocument(text)
  const ada = fake.addSuggestion('goes out', 'is sent out', { author_name: 'Ada' })
  fake.addSuggestion('goes out', 'leaves', { author_name: 'Bob' })
  fake.addSuggestion('draft', 'print')
  const suggestions = await opened(fake)
  expect(suggestions.choices()).toMatchObject({
    clear: [{ suggested_text: 'print' }],
    places: [{ length: 2 }],
  })
  await suggestions.decisions.decideAll('accept')
  expect(fake.content).toContain('print that goes out')
  expect(fake.notices.at(-1)!.text).toBe('1 suggestion accepted. One place has alternatives: choose one.')
  await suggestions.decisions.decideAll('accept')
  expect(suggestions.pending).toHaveLength(2)

  await suggestions.decisions.decideAll('accept', [ada.id])
  expect(fake.content).toContain('print that is sent out')
  expect(fake.notices.at(-1)!.text).toBe('1 suggestion accepted. The other for the same words is rejected.')
  expect(suggestions.pending).toEqual([])
  // By the undo of the message, both at once.
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(suggestions.pending).toHaveLength(2)
})

test('what is hidden from others isn’t accepted together with others, also where it is seen', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'leaves', { hidden: true })
  fake.addSuggestion('draft', 'print')
  const suggestions = await opened(fake)
  suggestions.guests.showHidden = true
  expect(suggestions.supposed.clear).toMatchObject([{ suggested_text: 'print' }])
  await suggestions.decisions.decideAll('accept')
  expect(suggestions.pending).toMatchObject([{ suggested_text: 'leaves' }])
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(fake.content).toContain('print that leaves')
})

test('only those that are named are decided, and only those that are listed are gone through', async () => {
  const fake = new FakeDocument(text)
  const ada = fake.addSuggestion('goes out', 'is sent out')
  const other = fake.addSuggestion('draft', 'proof')
  const suggestions = await opened(fake)
  expect(suggestions.among([ada.id, 'a comment'])).toEqual([ada.id])
  suggestions.filterBy.words = 'proof'
  expect(suggestions.listed.map(({ id }) => id)).toEqual([other.id])
  expect(suggestions.step(1)).toBe(other.id)
  await suggestions.decisions.decideAll('accept', [ada.id])
  expect(suggestions.pending.map(({ id }) => id)).toEqual([other.id])
  // What is gone to is listed again.
  suggestions.filter = 'all'
  suggestions.activate(ada.id)
  expect(suggestions.filterBy.isOn).toBe(false)
})

test('the text as if all were accepted leaves places as they are where one has to be chosen; of one person it has theirs alone', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('goes out', 'leaves', { author_name: 'Ada' })
  fake.addSuggestion('out for review', 'away', { author_name: 'Bob' })
  fake.addSuggestion('draft', 'print', { author_name: 'Bob' })
  const suggestions = await opened(fake)
  suggestions.showInText('result')
  const seen = () => {
    const seenOf = suggestions.marks.filter(({ suggestion }) => suggestion!.shown === 'result')
    return seenOf.map(({ id }) => suggestions.all.find((one) => one.id === id)!.suggested_text)
  }
  expect(seen()).toEqual(['print'])
  const person = (name: string) =>
    suggestions.filterBy.choices(suggestions.filterable).find(({ label }) => label.startsWith(name))!.value
  suggestions.filterBy.whose = person('Ada')
  expect(seen()).toEqual(['leaves'])
  suggestions.filterBy.whose = person('Bob')
  expect(seen()).toEqual(['print', 'away'])
  suggestions.showInText('changes')
})

test('words that nobody saw aren’t accepted: the card has them then, and it is said', async () => {
  const fake = new FakeDocument(text)
  const one = fake.addSuggestion('goes out', 'leaves')
  const suggestions = await opened(fake)
  const shown = () => suggestions.pending.map(({ suggested_text }) => suggested_text)
  fake.edit(one, 'EVIL')
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(fake.content).toBe(text)
  expect(shown()).toEqual(['EVIL'])
  expect(fake.notices.at(-1)).toMatchObject({
    kind: 'error',
    text: expect.stringContaining('it was changed since you saw it'),
  })
  // In the owner's own words as well.
  fake.edit(one, 'evil')
  await suggestions.decisions.accept(suggestions.pending[0]!, 'departs')
  expect(fake.content).toBe(text)
  fake.edit(one, 'Evil')
  await suggestions.decisions.decideAll('accept')
  expect(fake.content).toBe(text)
  expect(shown()).toEqual(['Evil'])
  expect(fake.notices.at(-1)).toMatchObject({
    kind: 'error',
    text: expect.stringContaining('Nothing was accepted'),
  })
  await suggestions.decisions.accept(suggestions.pending[0]!)
  expect(fake.content).toContain('Evil for review')
})

test('what is accepted is what was there when that was pressed, however long others take', async () => {
  const fake = new FakeDocument(text)
  fake.addSuggestion('draft', 'print')
  const one = fake.addSuggestion('goes out', 'leaves')
  const suggestions = await opened(fake)
  const [first] = suggestions.pending
  const answer = fake.hold()
  const accepting = suggestions.decisions.accept(first!)
  const all = suggestions.decisions.decideAll('accept')
  fake.edit(one, 'EVIL')
  answer()
  await Promise.all([accepting, all])
  expect(fake.content).toBe(text.replace('draft', 'print'))
})
