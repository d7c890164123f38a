import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { LinkedDocument } from '../contract/records/linked-documents.ts'
import type { LinkAccess } from '../domain/access.ts'
import { connectByHttp } from '../mcp/testing/agent.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'

const content = '# On proofs\n\nA galley goes out for review.\n'
const accept = { accept: 'application/json, text/event-stream' }
const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

let galley: TestGalley
let id: string
let other: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ title: 'On proofs', content })).id
  other = (await galley.newDocument({ title: 'Secret', content: 'Nobody’s business.' })).id
})
afterEach(() => galley.close())

const linkOf = (token: string) => {
  const { number } = galley.store.documents.find(id)!
  return galley.store.shareLinks.list(number).find((one) => one.token === token)!
}
const change = (token: string, json: object) =>
  galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkOf(token).id}`, {
    ...{ as: galley.as.owner, json },
  })
async function linkFor(access: LinkAccess, allows_agents = true): Promise<string> {
  const token = await galley.newToken(id, access)
  await change(token, { allows_agents })
  return token
}
const connect = (token: string, name = 'Claude') =>
  connectByHttp(galley, { on: 'share', path: `/share/${token}/mcp`, name })
async function ask(token: string, json: unknown = hello, headers: Record<string, string> = {}) {
  const url = `/share/${token}/mcp`
  const answer = await galley.call('POST', url, { on: 'share', json, headers: { ...accept, ...headers } })
  const { message, code } = answer.status === 200 ? {} : JSON.parse(answer.text).error
  return { ...answer, message, code }
}
const comments = async () =>
  (await galley.call('GET', `/api/documents/${id}/comments`, { as: galley.as.owner })).data as Comment[]

describe('an agent that has come by a link', () => {
  it('is offered what the link allows, and finds its document alone', async () => {
    const offered = async (access: LinkAccess) => {
      const agent = await connect(await linkFor(access))
      return (await agent.client.listTools()).tools.map(({ name }) => name)
    }
    const reading = ['find', 'read', 'wait_for_review', 'export', 'files']
    expect(await offered('view')).toEqual(reading)
    expect(await offered('comment')).toEqual([
      ...['find', 'read', 'comment', 'reply', 'resolve'],
      ...reading.slice(2),
    ])
    expect(await offered('suggest')).toContain('suggest')
    expect(await offered('suggest')).not.toContain('edit')
    expect(await offered('edit')).toContain('edit')
    expect(await offered('edit')).not.toContain('share')

    const agent = await connect(await linkFor('view'))
    const found = await agent.does('find', { query: 'Secret' })
    expect([found.includes(id), found.includes(other)]).toEqual([true, false])
    expect(await agent.does('read', { document: id })).toContain(content)
    expect(await agent.does('read', { document: id, feedback: 'all' })).toContain('Nobody has said anything')
    const { resources } = await agent.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([`galley://documents/${id}`])
    // Whatever it guesses at isn't there, and it doesn't lock itself out by guessing.
    for (let i = 0; i <= 20; i++)
      expect(await agent.isRefused('read', { document: other })).toContain('NOT_FOUND')
    expect(await agent.isRefused('read', { document: id, since_revision: 99 })).toContain('earlier texts')
  })

  it('writes as an agent, under the name that its program gives, and changes what it wrote', async () => {
    const token = await linkFor('edit')
    const agent = await connect(token, `\u202eClaude\nCode ${'x'.repeat(200)}`)
    await agent.does('comment', { document: id, comments: [{ find: 'galley', body: 'A ship?' }] })
    const [comment] = await comments()
    expect(comment).toMatchObject({ author_id: null, author_kind: 'agent', key_name: null, mine: false })
    expect(comment!.author_name).toBe(`Claude Code ${'x'.repeat(limits.authorNameLength - 12)}`)
    expect(galley.events.at(-1)!.principal).toMatchObject({ kind: 'guest', keyKind: 'agent' })
    await agent.does('resolve', { document: id, as: 'resolve', ids: [comment!.id] })
    // Another one of the same name is another one.
    const second = await connect(token, comment!.author_name)
    expect(await second.isRefused('resolve', { document: id, as: 'reopen', ids: [comment!.id] })).toContain(
      'FORBIDDEN',
    )

    await second.does('edit', { document: id, edits: [{ find: 'out', text: 'away' }] })
    const [version] = (await galley.call('GET', `/api/documents/${id}/versions`, { as: galley.as.owner }))
      .data
    expect(version).toMatchObject({
      author_id: null,
      author_kind: 'agent',
      author_name: comment!.author_name,
    })
    const { entries } = (await galley.call('GET', `/api/documents/${id}/history`, { as: galley.as.owner }))
      .data
    expect(entries.at(-1)).toMatchObject({ author_id: null, author_kind: 'agent' })
  })

  it('is refused where it makes a line too long', async () => {
    const agent = await connect(await linkFor('edit'))
    const text = 'x'.repeat(limits.guestLineLength)
    const edits = [{ find: 'out', text }]
    expect(await agent.isRefused('edit', { document: id, edits })).toContain('no line may become longer')
    await agent.does('edit', { document: id, edits: [{ find: 'out', text: `\n${text}\n` }] })
  })

  it('is named, and listens to nothing all the while, by the newer protocol too', async () => {
    const token = await linkFor('comment')
    const version = '2026-07-28'
    const info = 'io.modelcontextprotocol'
    const call = (method: string, params: object, name?: string) => {
      const _meta = {
        ...{ [`${info}/protocolVersion`]: version, [`${info}/clientCapabilities`]: {} },
        [`${info}/clientInfo`]: { name: 'Newer', version: '1' },
      }
      const headers = { 'mcp-protocol-version': version, 'mcp-method': method }
      const json = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
      return ask(token, json, name === undefined ? headers : { ...headers, 'mcp-name': name })
    }
    const args = { document: id, comments: [{ body: 'Hm.' }] }
    const said = await call('tools/call', { name: 'comment', arguments: args }, 'comment')
    expect([said.status, said.headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await comments())[0]).toMatchObject({ author_name: 'Newer', author_kind: 'agent', body: 'Hm.' })
    const listening = await call('subscriptions/listen', { notifications: { resourcesListChanged: true } })
    expect(listening.text).toContain('Subscription limit reached')
  })

  it('waits for what others say, and is told nothing of its own', async () => {
    const token = await linkFor('suggest')
    const agent = await connect(token)
    await agent.does('comment', { document: id, comments: [{ body: 'Mine.' }] })
    const waiting = agent.does('wait_for_review', { document: id, since: 0, wait_seconds: 30 })
    await galley.newComment(id, { token }, { body: 'A person’s.' })
    const answer = await waiting
    expect(answer).toContain('A person’s.')
    expect(answer).not.toContain('Mine.')
    expect(answer).toMatch(/Next: call “wait_for_review” with .*"since": \d+/)
  })

  it.each([
    [
      'it is revoked',
      (token: string) => galley.store.shareLinks.revoke(linkOf(token).id, linkOf(token).document),
    ],
    ['agents may not use it any more', (token: string) => change(token, { allows_agents: false })],
    ['it allows something else', (token: string) => change(token, { permission: 'comment' })],
    [
      'all sharing is stopped',
      () => galley.call('PATCH', '/api/sharing', { as: galley.as.owner, json: { stopped: true } }),
    ],
    ['Galley stops', () => galley.context.feed.close()],
  ])('waits no longer once %s', async (_what, end) => {
    const token = await linkFor('view')
    const agent = await connect(token)
    const waiting = agent.call('wait_for_review', { document: id, wait_seconds: 60 })
    while (galley.context.feed.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await end(token)
    await waiting.catch(() => {})
    expect(galley.context.feed.waiting()).toBe(0)
  })
})

describe('at a link’s address for agents', () => {
  it('nobody gets in by a link that isn’t for agents, that opens nothing, or from another’s page', async () => {
    const shut = await linkFor('edit', false)
    expect((await ask(shut)).code).toBe('FORBIDDEN')
    // A key is for `/mcp` of the other listener.
    const { key } = galley.as.owner
    expect((await ask(shut, hello, { authorization: `Bearer ${key}` })).code).toBe('FORBIDDEN')
    const token = await linkFor('edit')
    expect((await ask(token)).status).toBe(200)
    expect((await ask(token, hello, { origin: 'https://elsewhere.example' })).code).toBe('FORBIDDEN')
    expect((await ask(token, [hello, hello])).code).toBe('VALIDATION_ERROR')
    const long = { ...hello, params: { ...hello.params, x: 'x'.repeat(limits.linkMcpBodyBytes) } }
    const refused = await ask(token, long)
    expect([refused.code, refused.message]).toEqual(['PAYLOAD_TOO_LARGE', expect.stringContaining('4 MiB')])
    await galley.call('POST', `/api/documents/${id}/trash`, { as: galley.as.owner })
    expect((await ask(token)).message).toContain('not available')
    for (let i = 0; i < limits.failedCredentialsPerMinute; i++)
      expect((await ask('0'.repeat(32))).code).toBe('NOT_FOUND')
    expect((await ask('0'.repeat(32))).code).toBe('RATE_LIMITED')
  })

  it('guests’ agents can’t cost more than guests may', async () => {
    const token = await linkFor('suggest')
    const agent = await connect(token)
    const waits = Array.from({ length: limits.linkMcpWaits }, () =>
      agent.call('wait_for_review', { document: id, wait_seconds: 60 }).catch(() => {}),
    )
    while (galley.context.feed.waiting() < waits.length)
      await new Promise((resolve) => setTimeout(resolve, 5))
    const more = { document: id, wait_seconds: 60 }
    expect(await agent.isRefused('wait_for_review', more)).toContain('RATE_LIMITED')
    // What doesn't wait is answered all the same.
    expect((await ask(token)).status).toBe(200)
    expect(await agent.does('find')).toContain(id)
    expect(await agent.does('wait_for_review', { ...more, wait_seconds: 0 })).toContain('Nothing was said')
    // Another link has its own room.
    const wide = await connect(await linkFor('suggest'))
    await galley.newComment(id)
    await Promise.all(waits)
    const many = Array.from({ length: 100 }, (_, i) => ({ body: `Comment ${i}` }))
    expect(await wide.isRefused('comment', { document: id, comments: many })).toContain('RATE_LIMITED')
    expect((await comments()).length).toBe(1 + limits.guestWritesPerMinute)
    let answer = await ask(token)
    expect(answer.headers['ratelimit-policy']).toContain('"agent-calls"')
    for (let i = 0; i <= limits.visitorAgentCallsPerMinute && answer.status === 200; i++)
      answer = await ask(token)
    expect(answer.code).toBe('RATE_LIMITED')
  })

  it('is said by the link where it is for agents', async () => {
    const token = await linkFor('view')
    const read = async () => {
      const answer = await galley.call('GET', `/share/${token}`, {
        ...{ on: 'share', headers: { accept: 'application/json' } },
      })
      return (JSON.parse(answer.text) as { data: LinkedDocument }).data.mcp
    }
    const header = async () =>
      String((await galley.call('GET', `/share/${token}`, { on: 'share' })).headers['link'])
    expect(await read()).toBe(`/share/${token}/mcp`)
    expect(await header()).toContain(`</share/${token}/mcp>; rel="service"; title="Model Context Protocol"`)
    await change(token, { allows_agents: false })
    expect(await read()).toBeNull()
    expect(await header()).not.toContain('/mcp>')
  })
})
