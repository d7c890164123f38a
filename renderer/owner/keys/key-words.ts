import type { KeyKind } from '../../../server/contract/records/authors.ts'
import type { KeyAccess } from '../../../server/contract/records/keys.ts'

interface AccessChoice {
  value: KeyAccess
  label: string
  allows: string
}

/** What a key may, the least first. */
const accesses: AccessChoice[] = [
  { value: 'read', label: 'Read only', allows: 'List, read, search and export.' },
  { value: 'comment', label: 'Comment', allows: 'Read, comment and answer.' },
  { value: 'suggest', label: 'Suggest', allows: 'Also suggest changes. You decide each.' },
  { value: 'edit', label: 'Edit', allows: 'Also change texts and titles.' },
  { value: 'manage', label: 'Manage', allows: 'Also decide, share and delete.' },
  { value: 'full', label: 'Full access', allows: 'Everything you can do, keys and settings included.' },
]

/** What can be chosen: full access is about more than chosen documents. */
export const accessChoices = (isForChosen: boolean): AccessChoice[] =>
  accesses.filter(({ value }) => !isForChosen || value !== 'full')

export const accessLabel = (access: KeyAccess): string =>
  accesses.find(({ value }) => value === access)?.label ?? access

/** What is chosen until somebody chooses: each asks for little. */
export const usualAccess: Record<KeyKind, KeyAccess> = { agent: 'suggest', script: 'read' }

export const kinds: { value: KeyKind; label: string; allows: string }[] = [
  {
    value: 'agent',
    label: 'An agent',
    allows: 'Claude, Cursor or another assistant. What it writes is marked as an agent’s.',
  },
  { value: 'script', label: 'A script', allows: 'A program that does what it was written to do.' },
]
