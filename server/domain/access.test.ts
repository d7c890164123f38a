import { describe, expect, it } from 'vitest'
import { accessOf, may, type Decision, type Holder, type LinkAccess, type Right } from './access.ts'

const owner: Holder = { kind: 'owner', access: 'full' }
const reader: Holder = { kind: 'owner', access: 'read' }
const link = (access: LinkAccess): Holder => ({ kind: 'link', access })
const links = [link('view'), link('comment'), link('suggest'), link('edit')]

describe('a share link', () => {
  // The permission matrix, row by row: view document, list comments, create comments, edit content, create suggestions.
  const columns: Right[] = [
    'document.read',
    'comment.list',
    'comment.create',
    'document.edit',
    'suggestion.create',
  ]
  it.each([
    ['view', ['yes', 'yes', 'no', 'no', 'no']],
    ['comment', ['yes', 'yes', 'yes', 'no', 'no']],
    ['suggest', ['yes', 'yes', 'yes', 'no', 'yes']],
    ['edit', ['yes', 'yes', 'yes', 'yes', 'yes']],
  ] as const)('to %s allows exactly what the matrix says', (permission, row) => {
    expect(columns.map((action) => (may(link(permission), action) === 'yes' ? 'yes' : 'no'))).toEqual(row)
  })

  it('to edit is one to suggest where that is all that its holders may', () => {
    expect(accessOf({ permission: 'edit', suggest_only: 1 })).toBe('suggest')
    expect(accessOf({ permission: 'edit', suggest_only: 0 })).toBe('edit')
    expect(accessOf({ permission: 'comment', suggest_only: true })).toBe('comment')
  })

  it('with too low a permission is forbidden, not unknown', () => {
    expect(may(link('view'), 'comment.create')).toBe('forbidden')
    expect(may(link('view'), 'document.edit')).toBe('forbidden')
    expect(may(link('comment'), 'document.edit')).toBe('forbidden')
    expect(may(link('comment'), 'suggestion.create')).toBe('forbidden')
  })

  it('lists suggestions from comment upwards', () => {
    expect(links.map((holder) => may(holder, 'suggestion.list'))).toEqual(['forbidden', 'yes', 'yes', 'yes'])
  })

  it('never renames a document or resolves a suggestion', () => {
    for (const holder of links) {
      expect(may(holder, 'document.rename')).toBe('forbidden')
      expect(may(holder, 'suggestion.resolve')).toBe('forbidden')
    }
  })

  it('exports from view upwards', () => {
    expect(links.map((holder) => may(holder, 'export'))).toEqual(['yes', 'yes', 'yes', 'yes'])
    for (const holder of links) expect(may(holder, 'export.feedback')).toBe('forbidden')
  })

  it.each<Right>([
    'document.list',
    'markdown.render',
    'document.create',
    'document.delete',
    'share.list',
    'share.manage',
    'version.read',
    'version.restore',
    'key.list',
    'key.manage',
    'event.list',
    'account.read',
    'account.manage',
  ])('is no credential for %s', (action) => {
    for (const holder of links) expect(may(holder, action)).toBe('unauthorized')
  })
})

describe('the owner', () => {
  const changing: Right[] = [
    'document.create',
    'document.edit',
    'document.rename',
    'document.delete',
    'comment.create',
    'suggestion.create',
    'suggestion.resolve',
    'share.manage',
    'version.restore',
    'key.manage',
    'account.manage',
  ]
  const reading: Right[] = [
    'document.list',
    'markdown.render',
    'document.read',
    'comment.list',
    'suggestion.list',
    'version.read',
    'trash.read',
    'account.read',
    'export',
  ]
  const beyondDocuments: Right[] = [
    'key.list',
    'settings.read',
    'sharing.read',
    'tunnel.read',
    'origin.read',
    'room.read',
  ]

  it('with full access may do everything', () => {
    for (const action of [...changing, ...reading, 'share.list' as const])
      expect(may(owner, action)).toBe('yes')
  })

  it('sees what is the account’s or the machine’s from “manage” on, and not by a key for chosen documents', () => {
    const who = (right: Right, chosen: boolean) =>
      (['read', 'comment', 'suggest', 'edit', 'manage', 'full'] as const).filter(
        (access) => may({ kind: 'owner', access, chosen }, right) === 'yes',
      )
    for (const right of beyondDocuments) {
      expect([right, who(right, false)]).toEqual([right, ['manage', 'full']])
      expect([right, who(right, true)]).toEqual([right, []])
    }
  })

  it('with a read key may read and change nothing', () => {
    const answers = (actions: Right[]) => new Set<Decision>(actions.map((action) => may(reader, action)))
    expect(answers(reading)).toEqual(new Set(['yes']))
    expect(answers(changing)).toEqual(new Set(['forbidden']))
  })

  it('with a key may do what those with less may, and more', () => {
    const access = ['read', 'comment', 'suggest', 'edit', 'manage', 'full'] as const
    const rights: Right[] = [...changing, ...reading, 'comment.manage', 'share.list', 'trash.manage']
    const allowed = (chosen: boolean) =>
      access.map((one) =>
        rights.filter((right) => may({ kind: 'owner', access: one, chosen }, right) === 'yes'),
      )
    const all = allowed(false)
    for (const [index, each] of all.entries())
      expect(each).toEqual(expect.arrayContaining(all[index - 1] ?? []))
    expect(all[2]).toContain('suggestion.create')
    expect(all[2]).not.toContain('document.edit')
    for (const [index, each] of allowed(true).entries()) {
      expect(all[index]).toEqual(expect.arrayContaining(each))
      for (const beyond of ['document.create', 'key.list', 'account.manage', 'trash.manage'] as const)
        expect(each).not.toContain(beyond)
    }
  })

  it('with a read key doesn’t see share tokens, which could do more than the key', () => {
    expect(may(reader, 'share.list')).toBe('forbidden')
  })
})

describe('what the table doesn’t know', () => {
  it('is forbidden to everyone', () => {
    for (const holder of [owner, reader, ...links]) {
      expect(may(holder, 'document.burn' as Right)).toBe('forbidden')
      expect(may(holder, 'constructor' as Right)).toBe('forbidden')
    }
    expect(may({ kind: 'link', access: 'admin' as 'edit' }, 'document.read')).toBe('forbidden')
    expect(may({ kind: 'link', access: 'full' as 'edit' }, 'document.delete')).toBe('forbidden')
  })
})
