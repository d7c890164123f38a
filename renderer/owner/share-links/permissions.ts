import type { Permission } from '../../../server/contract/records/share-links.ts'

/** What each kind of link lets its holder do, in the owner’s words. */
export const permissions: { value: Permission; label: string; allows: string }[] = [
  { value: 'view', label: 'Read', allows: 'Read the text and its comments.' },
  { value: 'comment', label: 'Comment', allows: 'Read, and comment on the text.' },
  { value: 'edit', label: 'Edit', allows: 'Read, comment, suggest changes, and change the text itself.' },
]

export const permissionLabel = (permission: Permission): string =>
  permissions.find(({ value }) => value === permission)!.label
