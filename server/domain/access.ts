import type { Permission } from '../contract/records/share-links.ts'

/** What somebody may have the right to do to a document, to an account or to the machine. */
export type Right =
  | 'document.read'
  | 'document.list'
  | 'document.create'
  | 'document.edit'
  | 'document.rename'
  | 'document.delete'
  | 'trash.read'
  | 'trash.manage'
  | 'comment.list'
  | 'comment.create'
  | 'suggestion.list'
  | 'suggestion.create'
  | 'suggestion.resolve'
  | 'feedback.see'
  | 'round.read'
  | 'round.manage'
  | 'round.review'
  | 'file.read'
  | 'file.add'
  | 'file.delete'
  | 'share.list'
  | 'share.manage'
  | 'version.read'
  | 'version.restore'
  | 'version.name'
  | 'version.forget'
  | 'key.list'
  | 'key.manage'
  | 'export'
  | 'markdown.render'
  | 'event.list'
  | 'account.read'
  | 'account.manage'
  | 'tunnel.read'
  | 'tunnel.manage'

/** What a link allows: its permission, and one between `comment` and `edit`. */
export type LinkAccess = Permission | 'suggest'
export const accessOf = ({
  permission,
  suggest_only,
}: {
  permission: Permission
  suggest_only?: 0 | 1 | boolean
}): LinkAccess => (permission === 'edit' && suggest_only ? 'suggest' : permission)

/** Who is asking, as far as permission goes. An owner here owns the very document that is asked for. */
export type Holder = { kind: 'owner'; access: 'full' | 'read' } | { kind: 'link'; access: LinkAccess }

/** `unauthorized`: a share token is no credential for this at all. `forbidden`: known, but not allowed. */
export type Decision = 'yes' | 'forbidden' | 'unauthorized'

/** Whether the holder may do it. Whatever the table doesn't allow is forbidden. */
export function may(holder: Holder, right: Right): Decision {
  const column =
    holder.kind === 'owner' ? (`owner.${holder.access}` as const) : (`link.${holder.access}` as const)
  const answers = Object.hasOwn(table, right) ? table[right] : undefined
  return answers && Object.hasOwn(answers, column) ? answers[column] : 'forbidden'
}

type Decisions = Record<'owner.full' | 'owner.read' | `link.${LinkAccess}`, Decision>

const row = (
  full: Decision,
  read: Decision,
  view: Decision,
  comment: Decision,
  suggest: Decision,
  edit: Decision,
): Decisions => ({
  'owner.full': full,
  'owner.read': read,
  'link.view': view,
  'link.comment': comment,
  'link.suggest': suggest,
  'link.edit': edit,
})

const yes = 'yes'
const no = 'forbidden'
const none = 'unauthorized'

// Columns: the owner with full access, the owner's read key; a link to view, to comment, to suggest, to edit.
const table = {
  'document.list': row(yes, yes, none, none, none, none),
  'document.create': row(yes, no, none, none, none, none),
  'document.read': row(yes, yes, yes, yes, yes, yes),
  'document.edit': row(yes, no, no, no, no, yes),
  'document.rename': row(yes, no, no, no, no, no),
  'document.delete': row(yes, no, none, none, none, none),
  'trash.read': row(yes, yes, none, none, none, none),
  'trash.manage': row(yes, no, none, none, none, none),
  export: row(yes, yes, yes, yes, yes, yes),
  'markdown.render': row(yes, yes, none, none, none, none),

  'comment.list': row(yes, yes, yes, yes, yes, yes),
  'comment.create': row(yes, no, no, yes, yes, yes),

  'suggestion.list': row(yes, yes, no, yes, yes, yes),
  'suggestion.create': row(yes, no, no, no, yes, yes),
  'suggestion.resolve': row(yes, no, no, no, no, no),

  'feedback.see': row(yes, no, none, none, none, none),

  'round.read': row(yes, yes, yes, yes, yes, yes),
  'round.manage': row(yes, no, none, none, none, none),
  // Of an owner nothing is noted.
  'round.review': row(yes, no, yes, yes, yes, yes),

  'file.read': row(yes, yes, yes, yes, yes, yes),
  'file.add': row(yes, no, no, no, no, yes),
  'file.delete': row(yes, no, none, none, none, none),

  'version.read': row(yes, yes, none, none, none, none),
  'version.restore': row(yes, no, none, none, none, none),
  'version.name': row(yes, no, none, none, none, none),
  'version.forget': row(yes, no, none, none, none, none),

  // The list shows tokens, and the token of an edit link can do more than a read key may.
  'share.list': row(yes, no, none, none, none, none),
  'share.manage': row(yes, no, none, none, none, none),
  'key.list': row(yes, yes, none, none, none, none),
  'key.manage': row(yes, no, none, none, none, none),
  'event.list': row(yes, yes, none, none, none, none),
  'account.read': row(yes, yes, none, none, none, none),
  'account.manage': row(yes, no, none, none, none, none),
  'tunnel.read': row(yes, yes, none, none, none, none),
  'tunnel.manage': row(yes, no, none, none, none, none),
} satisfies Record<Right, Decisions>
