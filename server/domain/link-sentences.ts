import type { LinkAccess } from './access.ts'

/** What a recipient is told that they can do with their link: by the page as it is made, and again when that changes. */
export const linkAllows: Readonly<Record<LinkAccess, string>> = {
  view: 'You can read this page with the link you have.',
  comment: 'You can read and comment with the link you have.',
  suggest: 'You can read, comment and suggest changes with the link you have.',
  edit: 'You can read, comment, suggest and edit with the link you have.',
}
