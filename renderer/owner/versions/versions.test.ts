import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../../../server/contract/limits.ts'
import { FakeDocument } from '../feedback/testing/fake-document.ts'
import { Versions } from './versions.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function opened(...texts: string[]) {
  const fake = new FakeDocument(texts[0])
  for (const text of texts.slice(1)) fake.write(text)
  await fake.session.refresh()
  const versions = new Versions(fake.session, fake.notify)
  await versions.load()
  return { fake, versions }
}
const shown = (versions: Versions) =>
  versions.comparison!.blocks.flatMap((block) => (block.kind === 'text' ? block.segments : []))

test('a version is held against the one before it, or against the current text', async () => {
  const { versions } = await opened('one\n', 'two\n', 'three\n')
  await versions.select(2)
  expect(shown(versions)).toMatchObject([
    { kind: 'removed', text: 'one' },
    { kind: 'added', text: 'two' },
    { kind: 'same' },
  ])
  await versions.select(2, 'current')
  expect(shown(versions)).toMatchObject([
    { kind: 'removed', text: 'two' },
    { kind: 'added', text: 'three' },
    { kind: 'same' },
  ])
  expect(versions.comparison!.passages).toHaveLength(1)
})

test('the first version is all new', async () => {
  const { versions } = await opened('one\n')
  await versions.select(1, 'before')
  expect(shown(versions)).toMatchObject([{ kind: 'added', text: 'one\n' }])
})

test('what the first version changed isn’t known where all before it was forgotten', async () => {
  const { fake, versions } = await opened('one\n', 'one two\n')
  fake.versions = fake.versions.filter(({ revision }) => revision === 2)
  await versions.forgotten()
  await versions.select(2, 'before')
  expect(shown(versions)).toMatchObject([{ kind: 'same', text: 'one two\n' }])
  expect(versions.isWithoutBefore).toBe(true)
})

test('older than a version are those before it, and what was written on the way to it or to others', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  expect([1, 2].map((revision) => versions.hasOlder(revision))).toEqual([false, true])
  const [first] = fake.versions.filter(({ revision }) => revision === 1)
  const isOlderOnce = async (began: Partial<(typeof fake.versions)[number]>) => {
    const { started_at } = first!
    const earlier = new Date(Date.parse(started_at) - 1_000).toISOString()
    Object.assign(began, { started_at: earlier })
    await versions.load()
    const found = versions.hasOlder(1)
    Object.assign(began, { started_at })
    return found
  }
  expect(await isOlderOnce(first!)).toBe(true)
  expect(await isOlderOnce(fake.versions.find(({ revision }) => revision === 2)!)).toBe(true)
})

test('choosing another version while one is fetched shows the other', async () => {
  const { fake, versions } = await opened('one\n', 'two\n', 'three\n')
  const answer = fake.hold()
  const first = versions.select(2)
  const second = versions.select(3)
  answer()
  await Promise.all([first, second])
  expect(versions.comparison!.revision).toBe(3)
})

test('a comparison that can’t be fetched says so, and another try may work', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  fake.refuse('OFFLINE', 0)
  await versions.select(2)
  expect(versions.comparisonProblem).toContain('can’t be reached')
  await versions.select(2)
  expect(versions.comparison).not.toBeNull()
})

test('restoring makes a new version, and can be undone', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  await versions.restore(1)
  expect(fake.session.content).toBe('one\n')
  expect(versions.list[0]).toMatchObject({ revision: 3, kind: 'restore' })
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.session.content).toBe('two\n')
})

test('a restore is undone though the title has followed it, and around what was written since', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  await versions.restore(1)
  fake.write('one\n', 'title')
  await fake.session.refresh()
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.content).toBe('two\n')

  await versions.restore(1)
  fake.write('one\n\nnewer words\n')
  await fake.session.refresh()
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.session.content).toBe('two\n\nnewer words\n')

  await versions.restore(1)
  fake.write('other words\n')
  await fake.session.refresh()
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.session.content).toBe('other words\n')
  expect(fake.notices.at(-1)).toMatchObject({ kind: 'error', text: expect.stringContaining('stays') })
})

test('a version is restored while others write, whose words come back with the undo', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  fake.write('newer words\n')
  await versions.restore(1)
  expect(fake.content).toBe('one\n')
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.content).toBe('newer words\n')
})

test('it is known when guests’ changes are taken no more, until somebody with an account makes one', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  const now = Date.parse(fake.versions[0]!.created_at)
  expect(versions.refusesGuests(now)).toBe(false)
  fake.versions[0]!.added = limits.guestVersions
  await versions.load()
  expect(versions.refusesGuests(now)).toBe(true)
  expect(versions.refusesGuests(now + 24 * 60 * 60 * 1000)).toBe(false)
  fake.versions[0]!.author_id = fake.session.document.owner_id
  await versions.load()
  expect(versions.refusesGuests(now)).toBe(false)
})

test('a version that goes on while somebody looks at it stays as they saw it', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  await versions.select(2)
  fake.versions = fake.versions.map((version) =>
    version.revision === 2 ? { ...version, revision: 3, content: 'two, three\n' } : version,
  )
  await versions.load()
  expect(versions.version).toMatchObject({ revision: 2 })
  expect(versions.isCurrent).toBe(false)
  await versions.select(null)
  expect(versions.version).toBeNull()
})

test('a version gets a name, and loses it', async () => {
  const { fake, versions } = await opened('one\n', 'two\n')
  await versions.select(1)
  expect(await versions.rename(1, 'As sent')).toBe(true)
  expect(versions.version).toMatchObject({ name: 'As sent' })
  expect(versions.list.map(({ name }) => name)).toEqual([null, 'As sent'])
  await versions.rename(1, null)
  expect(versions.version).toMatchObject({ name: null })
  expect(await versions.rename(7, 'Gone')).toBe(false)
  expect(fake.notices.at(-1)).toMatchObject({ kind: 'error', text: expect.stringContaining('has gone on') })
})

test('any two are compared, and one change is brought back among what others have written since', async () => {
  const { fake, versions } = await opened(
    'A red house.\n\nOld.\n',
    'A blue house.\n\nOld.\n',
    'A blue house.\n\nNew.\n',
  )
  await versions.select(3, 1)
  expect(versions.comparison!.passages).toHaveLength(2)
  versions.step(1)
  versions.step(1)
  expect(versions.at).toBe(1)
  fake.write('Theirs first.\n\nA blue house.\n\nNew.\n')
  await fake.session.refresh()
  await versions.bringBack([0])
  expect(fake.session.content).toBe('Theirs first.\n\nA red house.\n\nNew.\n')
  expect(fake.called('restoreRevision')).toBe(0)
  fake.notices.at(-1)!.action!.run()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.session.content).toBe('Theirs first.\n\nA blue house.\n\nNew.\n')
})

test('words that have come back come back no second time', async () => {
  const { fake, versions } = await opened('One.\n\n> Said.\n\nTwo.\n', 'One.\n\nTwo.\n')
  await versions.select(2)
  await versions.bringBack([0])
  await versions.bringBack([0])
  expect(fake.session.content).toBe('One.\n\n> Said.\n\nTwo.\n')
  expect(fake.notices.at(-1)).toMatchObject({ kind: 'info', text: expect.stringContaining('already') })
})

test('where the place has changed since, nothing is written and the words can be copied', async () => {
  const { fake, versions } = await opened('A red house.\n', 'A blue house.\n')
  await versions.select(2)
  fake.write('A green house.\n')
  await fake.session.refresh()
  await versions.bringBack([0])
  expect(fake.session.content).toBe('A green house.\n')
  expect(fake.notices).toMatchObject([
    {
      kind: 'error',
      text: expect.stringContaining('has changed since'),
      action: { label: 'Copy the words' },
    },
  ])
})

test('a long list comes page by page, and the named ones of all of it alone', async () => {
  const { fake, versions } = await opened('0\n', ...Array.from({ length: 250 }, (_, i) => `${i + 1}\n`))
  fake.versions.at(-3)!.name = 'As sent'
  const { pages } = versions
  expect(pages.shown).toHaveLength(200)
  await pages.show(true)
  expect(pages.shown.map(({ name }) => name)).toEqual(['As sent'])
  await pages.show(false)
  await pages.loadEarlier()
  expect(pages.shown).toHaveLength(251)
  expect(pages.hasEarlier).toBe(false)
  fake.write('newest\n')
  await versions.load()
  expect(pages.shown.map(({ revision }) => revision)).toEqual(Array.from({ length: 252 }, (_, i) => 252 - i))
})
