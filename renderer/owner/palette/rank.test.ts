import { expect, it } from 'vitest'
import type { Command } from '../commands.svelte.ts'
import { rankCommands } from './rank.ts'

const command = (id: string, label: string, words?: string[]): Command => ({
  id,
  label,
  group: 'Document',
  run: () => {},
  ...(words ? { words } : {}),
})
const all = [
  command('new', 'New document', ['create']),
  command('theme', 'Dark theme', ['night']),
  command('links', 'Share this document'),
]
const ids = (query: string) => rankCommands(all, query).map(({ id }) => id)

it('keeps all commands in their order while nothing is typed', () => {
  expect(ids('  ')).toEqual(['new', 'theme', 'links'])
})
it('finds a command by the beginning of any of its words, the first word first', () => {
  expect(ids('doc')).toEqual(['new', 'links'])
  expect(ids('da')).toEqual(['theme'])
  expect(ids('sh doc')).toEqual(['links'])
})
it('finds a command by other names for it', () => {
  expect(ids('night')).toEqual(['theme'])
})
it('needs every word to mean something', () => {
  expect(ids('new nothing')).toEqual([])
})
