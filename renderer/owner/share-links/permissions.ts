import type { Permission, ShareLinkSummary } from '../../../server/contract/records/share-links.ts'
import { accessOf, type LinkAccess } from '../../../server/domain/access.ts'

/** What each kind of link lets its holder do, in the owner’s words. */
export const permissions: { value: LinkAccess; label: string; allows: string }[] = [
  { value: 'view', label: 'Read', allows: 'Read the text and its comments.' },
  { value: 'comment', label: 'Comment', allows: 'Read, and comment on the text.' },
  {
    value: 'suggest',
    label: 'Suggest',
    allows: 'Read, comment, and suggest changes, which you accept or not.',
  },
  { value: 'edit', label: 'Edit', allows: 'Read, comment, suggest changes, and change the text itself.' },
]

export const permissionLabel = (access: LinkAccess): string =>
  permissions.find(({ value }) => value === access)!.label

/** What a link is called: by what it lets its holder do, where it has no name. */
export const linkName = (link: Pick<ShareLinkSummary, 'label' | 'permission' | 'suggest_only'>): string =>
  link.label ?? `Link to ${permissionLabel(accessOf(link)).toLowerCase()}`

/** The same as the interface has it. */
export const fieldsOf = (access: LinkAccess): { permission: Permission; suggest_only: boolean } => ({
  permission: access === 'suggest' ? 'edit' : access,
  suggest_only: access === 'suggest',
})
