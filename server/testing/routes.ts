import type { Document } from '../contract/records/documents.ts'
import type { StoredFile } from '../contract/records/files.ts'
import type { Guest } from '../contract/records/guests.ts'
import type { ApiKey } from '../contract/records/keys.ts'
import type { Round } from '../contract/records/rounds.ts'
import type { ShareLink } from '../contract/records/share-links.ts'
import type { Webhook } from '../contract/records/webhooks.ts'
import { routes, type RouteName } from '../contract/routes.ts'
import { QueueFull } from '../threads/fair-queue.ts'
import { unknownId, type TestCredentials, type TestRequest, type TestGalley } from './galley.ts'

/** A request to one route that succeeds, taken apart so that a test can spoil one side of it. */
export interface SampleRequest {
  method: string
  /** The values of the path's parameters, such as `:id`. */
  params: Record<string, string>
  query: string
  as: TestCredentials
  json?: unknown
  /** Instead of JSON. */
  body?: string | Buffer
  headers: Record<string, string>
  /** Brings about what the route refuses because of how things stand; by code. */
  state: Record<string, (draft: SampleRequest) => Promise<void> | void>
}

export const content = 'A galley goes out for review.\n'

function bindToSeen({ state, json }: SampleRequest) {
  const edited_at = '2026-03-01T09:30:00.000Z'
  state['CHANGED_SINCE'] = (one) => void (one.json = { ...(json as object | undefined), edited_at })
  state['VALIDATION_ERROR'] = (one) => void (one.json = { edited_at: 'just now' })
}

/** A request for each route of the contract, on a document, comment, suggestion or key of its own. */
export async function sampleRequest(
  galley: TestGalley,
  name: RouteName,
  text: { title?: string; content?: string } = { title: 'Proof', content },
): Promise<SampleRequest> {
  const route = routes[name]
  const draft: SampleRequest = {
    method: route.method,
    params: {},
    query: '',
    as: route.about === 'sign-in' ? {} : galley.as.owner,
    headers: {},
    state: {},
  }
  let document: Document | undefined
  if (route.url.includes('/documents/:id')) {
    document = await galley.newDocument(text)
    draft.params['id'] = document.id
  }
  const id = document?.id ?? ''
  const stale = (one: SampleRequest) => void (one.headers['if-match'] = '"99"')
  switch (name) {
    case 'listDocuments':
    case 'listTrash':
      draft.state['BUSY'] = async (one) => {
        const { id } = await galley.newDocument({ content: 'often '.repeat(5_000) })
        if (name === 'listTrash')
          await galley.call('POST', `/api/documents/${id}/trash`, { as: galley.as.owner })
        galley.store.searchIndex.write(1_000)
        one.query = 'q=often'
        galley.context.searches = { find: () => Promise.reject(new QueueFull()) }
      }
      break
    case 'createDocument':
      draft.json = { title: 'New' }
      break
    case 'deleteDocument':
      draft.state['PRECONDITION_FAILED'] = (one) => void (one.query = 'only_unused=true')
      break
    case 'updateDocument':
      draft.json = { content: 'Changed.' }
      draft.state['PRECONDITION_FAILED'] = stale
      break
    case 'pushChange': {
      const { length } = text.content ?? ''
      const json = { base: 1, client: 'a-client-of-a-test', number: 1, changes: [length, [0, 'More.', '']] }
      draft.json = json
      draft.state['PRECONDITION_FAILED'] = (one) => void (one.json = { ...json, base: 99 })
      break
    }
    case 'listChanges':
    case 'listWordChanges':
      draft.query = 'since=1'
      draft.state['PRECONDITION_FAILED'] = (one) => void (one.query = 'since=99')
      break
    case 'exportDocument':
      draft.state['PAYLOAD_TOO_LARGE'] = async (one) => {
        // Too deep to be set, so that all its lines stand there as they are.
        const large = await galley.newDocument({ content: `${'> '.repeat(200)}<b>${'\n'.repeat(100_001)}` })
        one.params['id'] = large.id
        one.query = 'format=docx'
      }
      break
    case 'renderMarkdown':
      draft.json = { content: 'Read *me*.' }
      break
    case 'locateSelection':
      draft.json = { revision: 1, from: { block: 0, char: 0 }, to: { block: 0, char: 3 } }
      draft.state['PRECONDITION_FAILED'] = (one) => {
        one.json = { ...(one.json as object), revision: 99 }
      }
      break
    case 'getTrashed':
    case 'restoreTrashed':
    case 'deleteTrashed': {
      const trashed = await galley.newDocument({ title: 'Put away', content })
      await galley.call('POST', `/api/documents/${trashed.id}/trash`, { as: galley.as.owner })
      draft.params['id'] = trashed.id
      break
    }
    case 'getVersion':
    case 'updateVersion':
    case 'getRevision':
      draft.params['revision'] = '1'
      if (name === 'updateVersion') draft.json = { name: 'As sent' }
      break
    case 'forgetHistory':
    case 'findInBackups':
      draft.json = { passage: 'words that stand nowhere' }
      break
    case 'listHistory':
      draft.query = 'after=0'
      break
    case 'compareRevisions':
      draft.query = 'from=1'
      break
    case 'restoreVersion':
    case 'restoreRevision':
      draft.params['revision'] = '1'
      draft.state['PRECONDITION_FAILED'] = stale
      break
    case 'createShareLink':
      draft.json = { permission: 'view' }
      break
    case 'restoreShareLink': {
      await galley.newToken(id, 'view')
      const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
      galley.store.shareLinks.revoke(link!.id, link!.document)
      draft.params['link_id'] = link!.id
      break
    }
    case 'updateShareLink':
    case 'revokeShareLink': {
      if (name === 'updateShareLink') draft.json = { label: 'For Ada', permission: 'comment' }
      const link = await galley.call('POST', `/api/documents/${id}/share`, { as: galley.as.owner, json: {} })
      draft.query = `link_id=${(link.data as ShareLink).id}`
      break
    }
    case 'createRound':
      draft.json = { note: 'Is it too long?' }
      break
    case 'updateRound':
    case 'finishReview': {
      const rounds = `/api/documents/${id}/rounds`
      const round = (await galley.call('POST', rounds, { as: galley.as.owner, json: {} })).data as Round
      draft.params['round_id'] = round.id
      if (name === 'updateRound') draft.json = { ended: true }
      else {
        draft.json = { finished: true, author_name: 'Ada' }
        draft.state['ALREADY_RESOLVED'] = async () => {
          await galley.call('PATCH', `${rounds}/${round.id}`, { as: galley.as.owner, json: { ended: true } })
        }
      }
      break
    }
    case 'updateGuest':
    case 'deleteGuestFeedback': {
      // By no link: sharing may be stopped.
      galley.store.comments.create(
        galley.store.documents.find(id)!.number,
        { id: null, name: 'Guest', key: 'guest:0f' },
        { body: 'Hm.', parentId: null, anchor: null, range: null },
      )
      const guests = await galley.call('GET', `/api/documents/${id}/guests`, { as: galley.as.owner })
      draft.params['guest_id'] = (guests.data as Guest[])[0]!.id
      if (name === 'updateGuest') draft.json = { name: 'Ada' }
      break
    }
    case 'addFile':
      draft.query = 'name=a.png'
      draft.body = Buffer.from('bytes')
      draft.state['VALIDATION_ERROR'] = (one) => void (one.query = `name=${'x'.repeat(1_001)}`)
      draft.state['UNSUPPORTED_TYPE'] = (one) => void (one.headers['content-type'] = 'image/png')
      break
    case 'getFile':
    case 'deleteFile': {
      const file = await galley.call('POST', `/api/documents/${id}/files?name=a.png`, {
        as: galley.as.owner,
        body: 'bytes',
      })
      const { id: fileId, name: fileName } = file.data as StoredFile
      draft.params['file'] = name === 'getFile' ? fileName : fileId
      break
    }
    case 'createComment':
      draft.json = { body: 'Is this right?' }
      break
    case 'react':
    case 'updateComment':
    case 'deleteComment':
      draft.params['comment_id'] = (await galley.newComment(id)).id
      if (name === 'react') draft.json = { reaction: 'agree', set: true }
      if (name === 'updateComment') draft.json = { body: 'It is.' }
      break
    case 'createComments':
      draft.json = { comments: [{ body: 'Is this right?' }] }
      break
    case 'createSuggestions':
      draft.json = { suggestions: [{ original_text: 'out', suggested_text: 'in' }] }
      break
    case 'createSuggestion':
      draft.json = { original_text: 'out', suggested_text: 'in' }
      break
    case 'acceptSuggestion':
    case 'rejectSuggestion':
    case 'updateSuggestion':
    case 'withdrawSuggestion': {
      const suggestion = await galley.newSuggestion(id)
      draft.params['suggestion_id'] = suggestion.id
      if (name === 'updateSuggestion') draft.json = { suggested_text: 'in' }
      draft.state['ALREADY_RESOLVED'] = async () => {
        await galley.call('POST', `/api/documents/${id}/suggestions/${suggestion.id}/reject`, {
          as: galley.as.owner,
        })
      }
      if (name === 'acceptSuggestion' || name === 'updateSuggestion') bindToSeen(draft)
      if (name === 'withdrawSuggestion')
        draft.state['CHANGED_SINCE'] = (one) => void (one.query = 'edited_at=2026-03-01T09:30:00.000Z')
      if (name === 'acceptSuggestion')
        draft.state['TEXT_NOT_FOUND'] = async () => {
          await galley.call('PATCH', `/api/documents/${id}`, {
            as: galley.as.owner,
            json: { content: 'Gone.' },
          })
        }
      break
    }
    case 'reopenSuggestion': {
      const suggestion = await galley.newSuggestion(id)
      draft.params['suggestion_id'] = suggestion.id
      const decide = (how: 'accept' | 'reject' | 'reopen') =>
        galley.call('POST', `/api/documents/${id}/suggestions/${suggestion.id}/${how}`, {
          as: galley.as.owner,
        })
      await decide('reject')
      bindToSeen(draft)
      draft.state['TEXT_NOT_FOUND'] = async () => {
        await decide('reopen')
        await decide('accept')
        await galley.call('PATCH', `/api/documents/${id}`, {
          as: galley.as.owner,
          json: { content: 'Gone.' },
        })
      }
      break
    }
    case 'listReplies':
    case 'createReply':
      draft.params['suggestion_id'] = (await galley.newSuggestion(id)).id
      if (name === 'createReply') draft.json = { body: 'Reads better.' }
      break
    case 'resolveSuggestions':
      await galley.newSuggestion(id)
      draft.json = { action: 'accept' }
      break
    case 'listEvents':
      draft.query = 'since=latest'
      draft.state['GONE'] = async (one) => {
        await galley.newDocument()
        galley.store.db.exec('DELETE FROM events WHERE seq < (SELECT max(seq) FROM events)')
        one.query = 'since=0'
      }
      break
    case 'createKey':
      draft.json = { name: 'Backup' }
      break
    case 'deleteKey': {
      const made = await galley.call('POST', '/api/keys', { as: galley.as.owner, json: { name: 'Old' } })
      draft.params['id'] = (made.data as ApiKey).id
      break
    }
    case 'createWebhook':
      galley.store.db.exec('DELETE FROM webhooks')
      draft.json = { url: 'https://hooks.example.org/galley' }
      break
    case 'updateWebhook':
    case 'deleteWebhook':
    case 'pingWebhook':
    case 'listDeliveries':
    case 'redeliver': {
      galley.store.db.exec('DELETE FROM webhooks')
      const json = { url: 'https://hooks.example.org/galley' }
      const made = await galley.call('POST', '/api/webhooks', { as: galley.as.owner, json })
      const { id: webhookId } = made.data as Webhook
      draft.params['id'] = webhookId
      if (name === 'updateWebhook') draft.json = { active: false }
      if (name === 'redeliver') draft.params['delivery_id'] = galley.store.deliveries.add(webhookId, null).id
      break
    }
    case 'updateOrigins':
      draft.json = { origins: ['https://tools.example.org'] }
      break
    case 'createSession':
      draft.json = { ticket: galley.store.signInLinks.createTicket(galley.user.id) }
      break
    case 'noteCopy': {
      await galley.newToken(id, 'view')
      const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
      draft.params['link_id'] = link!.id
      draft.json = { address: 'https://galley.example.org' }
      break
    }
    case 'markFeedbackSeen':
      draft.json = { comments: '2026-03-01T09:30:00.000Z' }
      break
    case 'updateSharing':
      draft.json = { stopped: false }
      break
    case 'updateTunnel':
      draft.json = { url: { public_address: 'https://galley.example.org' } }
      break
    case 'moveSharePort':
      draft.json = { port: 0 }
      break
    case 'createSshKey':
      delete galley.env['GALLEY_SSH_KEY']
      draft.state['VALIDATION_ERROR'] = () => {
        galley.env['GALLEY_SSH_KEY'] = 'from elsewhere'
      }
      break
    case 'downloadCloudflared':
      draft.json = { agreed: true }
      break
    case 'updateSettings':
      draft.json = { theme: 'dark' }
      break
    default:
      break
  }
  return draft
}

/** The draft's path and query. */
export function urlOf(name: RouteName, { params, query }: SampleRequest): string {
  const path = routes[name].url.replace(/:(\w+)/g, (_all, param: string) => params[param]!)
  return query === '' ? path : `${path}?${query}`
}

export const send = (galley: TestGalley, name: RouteName, draft: SampleRequest, more: TestRequest = {}) =>
  galley.call(draft.method, urlOf(name, draft), {
    as: draft.as,
    ...(draft.json === undefined ? {} : { json: draft.json }),
    ...(draft.body === undefined ? {} : { body: draft.body }),
    ...more,
    headers: { ...draft.headers, ...more.headers },
  })

/** Ids under which nothing is, as a path may hold them. */
export const absentIds = [
  unknownId,
  unknownId.toUpperCase(),
  'not-a-uuid',
  '0',
  '%00',
  "'%20OR%20''='",
  '..%2F..',
]
export const routeNames = Object.keys(routes) as RouteName[]
