import type { KeyKind } from '../contract/records/authors.ts'
import type { KeyAccess } from '../contract/records/keys.ts'
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
  | 'trash.restore'
  | 'trash.manage'
  | 'comment.list'
  | 'comment.create'
  | 'comment.manage'
  | 'suggestion.list'
  | 'suggestion.create'
  | 'suggestion.resolve'
  | 'feedback.see'
  | 'guest.list'
  | 'guest.manage'
  | 'round.read'
  | 'round.manage'
  | 'round.review'
  | 'file.read'
  | 'file.add'
  | 'file.delete'
  | 'share.list'
  | 'share.manage'
  | 'sharing.read'
  | 'sharing.manage'
  | 'version.read'
  | 'version.restore'
  | 'version.name'
  | 'version.forget'
  | 'key.list'
  | 'key.manage'
  | 'export'
  | 'export.feedback'
  | 'markdown.render'
  | 'event.list'
  | 'webhook.manage'
  | 'origin.read'
  | 'origin.manage'
  | 'room.read'
  | 'room.manage'
  | 'account.read'
  | 'settings.read'
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

/**
 * Who is asking, as far as permission goes. An owner here owns the very document that is asked for, and came with full
 * access or with a key that has less. `chosen`: a key that is for some of their documents only.
 */
export type Holder =
  { kind: 'owner'; access: KeyAccess; chosen?: boolean } | { kind: 'link'; access: LinkAccess }

/**
 * Whether what a key does is done as its user, so that what the user has written is its to change, and the other way
 * round. An agent is told from whoever it writes for, and so is a key that has less than its user: each has written what
 * it wrote itself.
 */
export const actsAsUser = ({ kind, access }: { kind: KeyKind; access: KeyAccess }): boolean =>
  kind === 'script' && ['full', 'read', 'manage'].includes(access)

/** `unauthorized`: a share token is no credential for this at all. `forbidden`: known, but not allowed. */
export type Decision = 'yes' | 'forbidden' | 'unauthorized'

/** Whether the holder may do it. Whatever the table doesn't allow is forbidden. */
export function may(holder: Holder, right: Right): Decision {
  const column =
    holder.kind === 'owner' ? (`owner.${holder.access}` as const) : (`link.${holder.access}` as const)
  if (holder.kind === 'owner' && holder.chosen === true && beyondDocuments.has(right)) return 'forbidden'
  const answers = Object.hasOwn(table, right) ? table[right] : undefined
  return answers && Object.hasOwn(answers, column) ? answers[column] : 'forbidden'
}

/** The least access with which a key may do it; null where one that is for chosen documents never may. */
export const leastAccess = (right: Right, chosen: boolean): KeyAccess | null =>
  ladder.find((access) => may({ kind: 'owner', access, chosen }, right) === 'yes') ?? null

type RightDecisions = Record<`owner.${KeyAccess}` | `link.${LinkAccess}`, Decision>

const yes = 'yes'
const no = 'forbidden'
const none = 'unauthorized'

/** What each kind of key allows, the least first: each allows what those before it do, and more. */
const ladder = [
  'read',
  'comment',
  'suggest',
  'edit',
  'manage',
  'full',
] as const satisfies readonly KeyAccess[]
/** What an owner may from this access on. */
const from = (least: KeyAccess) =>
  Object.fromEntries(
    ladder.map((access) => [`owner.${access}`, ladder.indexOf(access) < ladder.indexOf(least) ? no : yes]),
  ) as Record<`owner.${KeyAccess}`, Decision>

const row = (
  least: KeyAccess,
  view: Decision,
  comment: Decision,
  suggest: Decision,
  edit: Decision,
): RightDecisions => ({
  ...from(least),
  'link.view': view,
  'link.comment': comment,
  'link.suggest': suggest,
  'link.edit': edit,
})

// Columns: what the owner has to come with at least; a link to view, to comment, to suggest, to edit.
const table = {
  'document.list': row('read', none, none, none, none),
  'document.create': row('edit', none, none, none, none),
  'document.read': row('read', yes, yes, yes, yes),
  'document.edit': row('edit', no, no, no, yes),
  'document.rename': row('edit', no, no, no, no),
  'document.delete': row('manage', none, none, none, none),
  'trash.read': row('read', none, none, none, none),
  // Whoever may put a document there may bring it back.
  'trash.restore': row('manage', none, none, none, none),
  'trash.manage': row('manage', none, none, none, none),
  export: row('read', yes, yes, yes, yes),
  // By a link feedback is read in the lists, which show what it lets see.
  'export.feedback': row('read', no, no, no, no),
  'markdown.render': row('read', none, none, none, none),

  'comment.list': row('read', yes, yes, yes, yes),
  'comment.create': row('comment', no, yes, yes, yes),
  // What others wrote: resolving and deleting it.
  'comment.manage': row('manage', no, no, no, no),

  'suggestion.list': row('read', no, yes, yes, yes),
  'suggestion.create': row('suggest', no, no, yes, yes),
  'suggestion.resolve': row('manage', no, no, no, no),

  'feedback.see': row('manage', none, none, none, none),

  'guest.list': row('read', none, none, none, none),
  'guest.manage': row('manage', none, none, none, none),

  'round.read': row('read', yes, yes, yes, yes),
  'round.manage': row('manage', none, none, none, none),
  // Of an owner nothing is noted.
  'round.review': row('comment', yes, yes, yes, yes),

  'file.read': row('read', yes, yes, yes, yes),
  'file.add': row('edit', no, no, no, yes),
  // By a link one's own, while nothing shows it.
  'file.delete': row('manage', no, no, no, yes),

  'version.read': row('read', none, none, none, none),
  'version.restore': row('edit', none, none, none, none),
  'version.name': row('manage', none, none, none, none),
  // What is forgotten nothing brings back.
  'version.forget': row('full', none, none, none, none),

  // The list shows tokens, and the token of an edit link can do more than most keys may.
  'share.list': row('manage', none, none, none, none),
  'share.manage': row('manage', none, none, none, none),
  // What is beyond documents: who else has a key, how the machine is set up, and which links lead where.
  'sharing.read': row('manage', none, none, none, none),
  'sharing.manage': row('full', none, none, none, none),
  'key.list': row('manage', none, none, none, none),
  'key.manage': row('full', none, none, none, none),
  'event.list': row('read', none, none, none, none),
  // The list shows addresses, which may hold a secret.
  'webhook.manage': row('full', none, none, none, none),
  'origin.read': row('manage', none, none, none, none),
  'origin.manage': row('full', none, none, none, none),
  'room.read': row('manage', none, none, none, none),
  'room.manage': row('full', none, none, none, none),
  // Who one is, and what one asks.
  'account.read': row('read', none, none, none, none),
  'settings.read': row('manage', none, none, none, none),
  'account.manage': row('full', none, none, none, none),
  'tunnel.read': row('manage', none, none, none, none),
  'tunnel.manage': row('full', none, none, none, none),
} satisfies Record<Right, RightDecisions>

/** What is about more than the documents that a key was made for. */
const beyondDocuments: ReadonlySet<Right> = new Set<Right>([
  'document.create',
  'trash.read',
  'trash.manage',
  'sharing.read',
  'sharing.manage',
  'key.list',
  'key.manage',
  'settings.read',
  'account.manage',
  'tunnel.read',
  'tunnel.manage',
  'webhook.manage',
  'origin.read',
  'origin.manage',
  'room.read',
  'room.manage',
])
