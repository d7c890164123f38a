import { expect, it } from 'vitest'
import type { VersionSummary } from '../../../server/contract/records/versions.ts'
import { authorWords, makerWords, whenWords } from './version-words.ts'

const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '')
const by = (author_id: string | null, author_name: string, key_name: string | null = null) => ({
  author_id,
  author_name,
  key_name,
  suggesters: [] as VersionSummary['suggesters'],
})

it('a guest is called one, whatever name they take', () => {
  expect(plain(authorWords(by('me', 'Owner')))).toBe('Owner')
  expect(plain(authorWords(by(null, 'Owner')))).toBe('Owner (guest)')
  expect(plain(authorWords(by(null, 'Guest')))).toBe('Guest')
  expect(plain(authorWords(by('me', 'Owner', 'Nightly')))).toBe('Nightly (script)')
  expect(plain(authorWords({ ...by('me', 'Owner', 'Claude'), author_kind: 'agent' }))).toBe('Claude (agent)')
  expect(plain(authorWords({ ...by('me', 'Owner'), author_kind: 'agent' }))).toBe('Owner (agent)')
  expect(plain(authorWords({ ...by(null, 'Claude', null), author_kind: 'agent' }))).toBe(
    'Claude (guest agent)',
  )
})

it('who made an accepted suggestion is told from who accepted it, though they are called the same', () => {
  const version = {
    ...by('me', 'Owner'),
    suggesters: [
      { name: 'Owner', guest: true, kind: 'guest' as const, key_name: null },
      { name: 'Owner', guest: false, kind: 'person' as const, key_name: null },
      { name: 'Ada', guest: null, kind: null, key_name: null },
      { name: 'Owner', guest: false, kind: 'agent' as const, key_name: 'Claude' },
    ],
  }
  expect(plain(makerWords(version))).toBe(
    'Suggested by Owner (guest), Owner, Ada, and Claude (agent), accepted by Owner',
  )
})

it('a session is told from when to when, a moment as one', () => {
  const at = '2026-03-01T09:30:00.000Z'
  expect(whenWords({ started_at: at, created_at: at }, 'en')).not.toContain('–')
  const words = whenWords({ started_at: at, created_at: '2026-03-01T09:52:00.000Z' }, 'en')
  expect(words).toMatch(/30.*–.*52/)
})
