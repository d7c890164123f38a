import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyAccess } from '../contract/records/keys.ts'
import { routes, type RouteName } from '../contract/routes.ts'
import type { LinkAccess } from '../domain/access.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { routeNames, sampleRequest, send } from '../testing/routes.ts'

let galley: TestGalley
beforeAll(async () => {
  galley = await createTestGalley()
  galley.context.limiters.guestWrite = async () => []
  galley.context.limiters.failedCredential = async () => undefined
})
afterAll(() => galley.close())

/** What each link answers to each call: the matrix of the interface, and what follows from it. */
const matrix: Partial<Record<RouteName, readonly [view: number, comment: number, edit: number]>> = {
  getDocument: [200, 200, 200],
  listComments: [200, 200, 200],
  createComment: [403, 201, 201],
  updateDocument: [403, 403, 200],
  pushChange: [403, 403, 200],
  listChanges: [200, 200, 200],
  createSuggestion: [403, 403, 201],
  createSuggestions: [403, 403, 200],
  createComments: [403, 200, 200],
  getPart: [200, 200, 200],
  getOutline: [200, 200, 200],

  react: [403, 200, 200],
  listSuggestions: [403, 200, 200],
  listReplies: [403, 200, 200],
  createReply: [403, 201, 201],
  exportDocument: [200, 200, 200],
  renderDocument: [200, 200, 200],
  locateSelection: [200, 200, 200],
  listMarks: [200, 200, 200],
  listWordChanges: [200, 200, 200],
  listRounds: [200, 200, 200],
  createRound: [401, 401, 401],
  updateRound: [401, 401, 401],
  finishReview: [200, 200, 200],
  listFiles: [200, 200, 200],
  getFile: [200, 200, 200],
  addFile: [403, 403, 201],
  // The file is the owner's.
  deleteFile: [403, 403, 403],
  noteRead: [200, 200, 200],
  // The comment and the suggestion are the owner's.
  updateComment: [403, 403, 403],
  deleteComment: [403, 403, 403],
  updateSuggestion: [403, 403, 403],
  withdrawSuggestion: [403, 403, 403],
  acceptSuggestion: [403, 403, 403],
  rejectSuggestion: [403, 403, 403],
  reopenSuggestion: [403, 403, 403],
  resolveSuggestions: [403, 403, 403],

  // A share token is no credential for what is the owner's alone.
  deleteDocument: [401, 401, 401],
  listGuests: [401, 401, 401],
  updateGuest: [401, 401, 401],
  deleteGuestFeedback: [401, 401, 401],
  trashDocument: [401, 401, 401],
  markFeedbackSeen: [401, 401, 401],
  listTrash: [401, 401, 401],
  emptyTrash: [401, 401, 401],
  listDocuments: [401, 401, 401],
  createDocument: [401, 401, 401],
  renderMarkdown: [401, 401, 401],
  listShareLinks: [401, 401, 401],
  listLinkVisits: [401, 401, 401],
  createShareLink: [401, 401, 401],
  revokeShareLink: [401, 401, 401],
  listVersions: [401, 401, 401],
  getVersion: [401, 401, 401],
  restoreVersion: [401, 401, 401],
  updateVersion: [401, 401, 401],
  getRevision: [401, 401, 401],
  listHistory: [401, 401, 401],
  compareRevisions: [401, 401, 401],
  restoreRevision: [401, 401, 401],
  forgetHistory: [401, 401, 401],
  readForgetting: [401, 401, 401],
  findInBackups: [401, 401, 401],
  listKeys: [401, 401, 401],
  createKey: [401, 401, 401],
  deleteKey: [401, 401, 401],
  getMe: [401, 401, 401],
  getSettings: [401, 401, 401],
  updateSettings: [401, 401, 401],
  getStatus: [401, 401, 401],
  deleteSession: [401, 401, 401],
  createWebhook: [401, 401, 401],
  listWebhooks: [401, 401, 401],
  updateOrigins: [401, 401, 401],
}
/** With which access at least a key may ask for each; with chosen documents, `own` where it asks for no more than these. */
const leastAccess = {
  ...of('read', [
    ...[
      'getDocument',
      'getPart',
      'getOutline',
      'listComments',
      'listChanges',
      'listSuggestions',
      'listReplies',
      'exportDocument',
    ],
    ...['renderDocument', 'locateSelection', 'listMarks', 'listWordChanges', 'listRounds', 'listFiles'],
    ...[
      'getFile',
      'noteRead',
      'listGuests',
      'listVersions',
      'getVersion',
      'getRevision',
      'listHistory',
      'compareRevisions',
    ],
    ...['readForgetting', 'listDocuments', 'renderMarkdown', 'listEvents', 'getMe', 'getStatus'],
    ...['listTrash', 'getTrashed', 'renderTrashed'],
  ]),
  ...of('comment', ['createComment', 'createComments', 'createReply', 'finishReview', 'react']),
  ...of('suggest', ['createSuggestion', 'createSuggestions']),
  ...of('edit', [
    ...['updateDocument', 'pushChange', 'createDocument', 'addFile', 'restoreVersion', 'restoreRevision'],
  ]),
  // The comment and the suggestion are the owner's.
  ...of('manage', [
    'updateGuest',
    'deleteGuestFeedback',
    ...['updateComment', 'deleteComment', 'updateSuggestion', 'withdrawSuggestion', 'acceptSuggestion'],
    ...['rejectSuggestion', 'reopenSuggestion', 'resolveSuggestions', 'deleteDocument', 'trashDocument'],
    ...['markFeedbackSeen', 'createRound', 'updateRound', 'deleteFile', 'updateVersion', 'listShareLinks'],
    ...['listLinkVisits', 'createShareLink', 'updateShareLink', 'revokeShareLink', 'restoreShareLink'],
    ...['noteCopy', 'restoreTrashed', 'deleteTrashed', 'emptyTrash'],
    // What is beyond documents.
    ...['listKeys', 'getSettings', 'getSharing', 'listStaleLinks', 'listProblems', 'getTunnel'],
    ...['getCloudflared', 'getOrigins', 'getFilesRoom'],
  ]),
}
function of(access: KeyAccess, names: string[]) {
  return Object.fromEntries(names.map((name) => [name, access])) as Partial<Record<RouteName, KeyAccess>>
}
const keys: KeyAccess[] = ['read', 'comment', 'suggest', 'edit', 'manage', 'full']
/** What a key for chosen documents may ask for that names none. */
const ofNoDocument: readonly string[] = [
  ...['listDocuments', 'renderMarkdown', 'listEvents', 'getMe', 'getStatus'],
]
/** What it may ask for that is about a document which isn’t there just now. */
const ofTrashed: readonly string[] = ['restoreTrashed']

describe.each(routeNames.filter((name) => routes[name].about !== 'sign-in'))('%s by a key', (name) => {
  const isOfDocument = routes[name].about === 'document'
  it.each(keys)('to %s', async (access) => {
    const least = leastAccess[name] ?? 'full'
    const isEnough = keys.indexOf(access) >= keys.indexOf(least)
    const draft = await sampleRequest(galley, name)
    const documentId = draft.params['id'] ?? ''
    const before = isOfDocument && galley.store.documents.find(documentId)
    const whole = await send(galley, name, { ...draft, as: { key: galley.newKey(galley.user.id, access) } })
    if (isEnough) expect([401, 403, 404]).not.toContain(whole.status)
    else expect(whole.status).toBe(403)
    if (!isEnough && isOfDocument) expect(galley.store.documents.find(documentId)).toEqual(before)
    if (access === 'full') return

    // One that is for this document and no other, and one that is for another.
    const again = await sampleRequest(galley, name)
    const chosen = [again.params['id'] ?? (await galley.newDocument()).id]
    const other = [(await galley.newDocument()).id]
    const [own, others] = [chosen, other].map((documents) => ({
      key: galley.newKey(galley.user.id, access, { documents }),
    }))
    const byOther = await send(galley, name, { ...again, as: others! })
    if (isOfDocument || ofTrashed.includes(name))
      expect([byOther.status, byOther.code]).toEqual([404, 'NOT_FOUND'])
    const byOwn = await send(galley, name, { ...again, as: own! })
    if (isEnough && (isOfDocument || [...ofNoDocument, ...ofTrashed].includes(name)))
      expect([401, 403, 404]).not.toContain(byOwn.status)
    else expect([403, 404]).toContain(byOwn.status)
  })
})

const accesses: LinkAccess[] = ['view', 'comment', 'suggest', 'edit']
/** What a link to suggest can’t do of what one to edit can. */
const changesText: readonly string[] = ['updateDocument', 'pushChange', 'addFile']

describe.each(Object.entries(matrix) as [RouteName, readonly number[]][])('%s', (name, statuses) => {
  it.each(accesses)('by a link to %s', async (access) => {
    const permission = access === 'suggest' ? 'edit' : access
    const isRefused = access === 'suggest' && changesText.includes(name)
    const status = isRefused ? 403 : statuses[['view', 'comment', 'edit'].indexOf(permission)]
    const { owner, session, stranger, reader } = galley.as
    const inQuery = [{}, owner, session, stranger, reader].map((beside) => ({ beside, way: 'token' }))
    // In the header it is the same credential.
    for (const { beside, way } of [...inQuery, { beside: {}, way: 'tokenInHeader' }]) {
      const draft = await sampleRequest(galley, name)
      const documentId = draft.params['id'] ?? ''
      const about = name === 'deleteKey' ? undefined : draft.params['id']
      const token = await galley.newToken(about ?? (await galley.newDocument()).id, access)
      const before = about && galley.store.documents.find(documentId)
      // Beside a token the owner's own credentials only name the author, whose records these then are.
      const own = ['updateComment', 'deleteComment', 'updateSuggestion', 'withdrawSuggestion'].includes(name)
      const names = beside !== stranger && Object.keys(beside).length > 0
      const enough = name.endsWith('Suggestion') ? permission === 'edit' : permission !== 'view'
      const answer = await send(galley, name, { ...draft, as: { ...beside, [way]: token } })
      expect(answer.status).toBe(own && names && enough ? 200 : status)
      if (answer.status >= 300 && about) expect(galley.store.documents.find(documentId)).toEqual(before)
    }
  })

  it('by a link that has ended, was revoked or never was', async () => {
    const draft = await sampleRequest(galley, name)
    const id = (name !== 'deleteKey' && draft.params['id']) || (await galley.newDocument()).id
    const ended = await galley.newToken(id, 'edit', new Date(galley.clock.now + 1_000).toISOString())
    const revoked = await galley.newToken(id, 'edit')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    galley.store.shareLinks.revoke(link!.id, link!.document)
    galley.clock.now += 1_000
    const valid = await galley.newToken(id, 'edit')
    for (const token of [ended, revoked, 'f'.repeat(32)])
      for (const more of [
        { token },
        { ...galley.as.owner, token },
        { ...galley.as.owner, tokenInHeader: token },
        // Of two, none counts.
        { token: valid, tokenInHeader: token },
      ]) {
        const answer = await send(galley, name, { ...draft, as: more })
        expect([answer.status, answer.message]).toEqual([401, 'Unauthorized'])
      }
  })
})
