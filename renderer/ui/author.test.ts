import { expect, test } from 'vitest'
import { isNamedGuest, nameOfAuthor, type ShownAuthor } from './author.ts'

const author = (of: Partial<ShownAuthor>): ShownAuthor => ({
  author_id: null,
  author_name: 'Owner',
  key_name: null,
  mine: false,
  ...of,
})

test('a guest is told from the owner, whatever they call themselves', () => {
  expect(nameOfAuthor(author({}))).toBe('Owner (guest)')
  expect(nameOfAuthor(author({ author_id: 'one' }))).toBe('Owner')
})

test('a program is called by the name of its key, and said to be one', () => {
  const key = { author_id: 'one', key_name: 'Claude' }
  expect(nameOfAuthor(author({ ...key, author_kind: 'agent' }))).toBe('Claude (agent)')
  expect(nameOfAuthor(author({ ...key, author_kind: 'script', mine: true }))).toBe('Claude (script)')
  const byLink = { author_id: null, author_name: 'Claude', author_kind: 'agent' as const }
  expect(nameOfAuthor(author(byLink))).toBe('Claude (guest agent)')
  const withoutKey = { author_id: 'one', author_kind: 'agent' as const }
  expect(nameOfAuthor(author(withoutKey))).toBe('Owner (agent)')
})

test('who is you, or has no other name than Guest, needs no such sign', () => {
  expect(isNamedGuest(author({ mine: true }))).toBe(false)
  expect(isNamedGuest(author({ author_name: 'Guest' }))).toBe(false)
})
