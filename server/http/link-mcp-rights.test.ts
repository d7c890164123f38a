import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkAccess } from '../domain/access.ts'
import { connectByHttp } from '../mcp/testing/agent.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'

const accesses: readonly LinkAccess[] = ['view', 'comment', 'suggest', 'edit']

let galley: TestGalley
let id: string
let comment: string
let suggestion: string
const links = new Map<LinkAccess, { token: string; agent: Awaited<ReturnType<typeof connectByHttp>> }>()
beforeAll(async () => {
  galley = await createTestGalley()
  galley.context.limiters.guestWrite = async () => []
  id = (await galley.newDocument({ title: 'On proofs', content: 'A galley goes out.\n' })).id
  comment = (await galley.newComment(id, galley.as.owner, { body: 'A ship?' })).id
  const suggested = { original_text: 'galley', suggested_text: 'secret' }
  const made = await galley.newSuggestion(id, galley.as.owner, suggested)
  suggestion = made.id
  await galley.newReply(made, galley.as.owner, { body: 'A secret answer.' })
  const { number } = galley.store.documents.find(id)!
  for (const access of accesses) {
    const token = await galley.newToken(id, access)
    const link = galley.store.shareLinks.list(number).find((one) => one.token === token)!
    await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, {
      ...{ as: galley.as.owner, json: { allows_agents: true } },
    })
    const agent = await connectByHttp(galley, { on: 'share', path: `/share/${token}/mcp` })
    links.set(access, { token, agent })
  }
})
afterAll(() => galley.close())

type Call = readonly [tool: string, args: Record<string, unknown>]
type Asked = readonly [method: string, path: string, json?: object]

const edits = [{ do: 'append', text: 'So it goes.' }]
/** What agents ask for by a tool, and the same by the interface. */
const same: readonly [string, Call, Asked][] = [
  ['find', ['find', {}], ['GET', '']],
  ['read', ['read', {}], ['GET', '']],
  ['read an outline', ['read', { outline: true }], ['GET', '/outline']],
  ['read feedback', ['read', { feedback: 'all' }], ['GET', '/comments']],
  ['read what changed', ['read', { since_revision: 9 }], ['GET', '/revisions?from=1']],
  ['wait', ['wait_for_review', { since: 0, wait_seconds: 0 }], ['GET', '/rounds']],
  ['export', ['export', {}], ['GET', '/export']],
  ['export feedback', ['export', { with_feedback: true }], ['GET', '/export?feedback=true']],
  ['list files', ['files', {}], ['GET', '/files']],
  ['add a file', ['files', { do: 'add', name: 'a.txt', base64: 'eA==' }], ['POST', '/files?name=b.txt', {}]],
  ['comment', ['comment', { comments: [{ body: 'x' }] }], ['POST', '/comments', { body: 'x' }]],
  [
    'reply',
    ['reply', { to: 'COMMENT', body: 'x' }],
    ['POST', '/comments', { body: 'x', parent_id: 'COMMENT' }],
  ],
  [
    'reply to a suggestion',
    ['reply', { to: 'SUGGESTION', body: 'x' }],
    ['POST', '/suggestions/SUGGESTION/replies', { body: 'x' }],
  ],
  [
    'suggest',
    ['suggest', { suggestions: [{ find: 'galley', text: 'x', why: 'y' }] }],
    ['POST', '/suggestions', { original_text: 'galley', suggested_text: 'x' }],
  ],
  [
    'settle',
    ['resolve', { as: 'resolve', ids: ['COMMENT'] }],
    ['PATCH', '/comments/COMMENT', { resolved: true }],
  ],
  [
    'accept',
    ['resolve', { as: 'accept', ids: ['SUGGESTION'] }],
    ['POST', '/suggestions/SUGGESTION/accept', {}],
  ],
  ['edit', ['edit', { edits }], ['PATCH', '', { content: 'A galley.' }]],
  ['rename', ['edit', { title: 'x' }], ['PATCH', '', { title: 'x' }]],
  ['create', ['create', { title: 'x' }], ['POST', '../', { title: 'x' }]],
  ['share', ['share', {}], ['GET', '/share']],
  ['versions', ['versions', {}], ['GET', '/versions']],
  ['ask for a review', ['request_review', { wait_seconds: 0 }], ['POST', '/rounds', {}]],
]

const filledIn = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll('COMMENT', comment).replaceAll('SUGGESTION', suggestion)) as T

describe.each(accesses)('by a link to %s an agent', (access) => {
  it.each(same)('may %s as by the interface', async (_what, called, asked) => {
    const { agent, token } = links.get(access)!
    const [method, path, json] = filledIn(asked)
    const url = path === '../' ? '/api/documents' : `/api/documents/${id}${path}`
    const byInterface = await galley.call(method, url, {
      ...{ as: { token }, on: 'share' },
      ...(json === undefined ? {} : { json }),
    })
    const isAllowed = ![401, 403, 404, 405].includes(byInterface.status)
    const [tool, args] = filledIn(called)
    const document = tool === 'create' || tool === 'find' ? {} : { document: id }
    const answer = await agent
      .call(tool, { ...document, ...args })
      .catch((error: unknown) => ({ isError: true, text: String(error) }))
    expect(answer.isError, answer.text).toBe(!isAllowed)
  })

  it('reads what was suggested only where the interface gives it', async () => {
    const { agent, token } = links.get(access)!
    const url = `/api/documents/${id}/suggestions`
    const { status } = await galley.call('GET', url, { as: { token }, on: 'share' })
    const everything = await Promise.all([
      ...same
        .filter(([, [tool]]) => ['find', 'read', 'wait_for_review', 'export', 'files'].includes(tool))
        .map(([, [tool, args]]) => agent.call(tool, { ...(tool !== 'find' && { document: id }), ...args })),
      agent.client.readResource({ uri: `galley://documents/${id}/feedback` }),
    ])
    expect(JSON.stringify(everything).includes('secret')).toBe(status === 200)
  })
})

it.each(accesses)('names no tool that a link to %s doesn’t offer', async (access) => {
  const { agent } = links.get(access)!
  const { tools } = await agent.client.listTools()
  const offered = tools.map(({ name }) => name)
  const document = id
  const told = [
    await agent.does('read', { document, feedback: 'all' }),
    await agent.does('files', { document }),
    await agent.does('wait_for_review', { document, since: 0, wait_seconds: 0 }),
    ...tools.filter(({ name }) => name === 'files').map(({ description }) => description),
  ].join('\n')
  for (const name of ['reply', 'resolve', 'suggest', 'edit', 'request_review'])
    if (!offered.includes(name)) expect(told).not.toContain(`“${name}”`)
  // As a word: ids have these letters, too.
  expect(/\badds?\b/.test(told)).toBe(access === 'edit')
  expect(told.includes('“reply”')).toBe(access !== 'view')
})
