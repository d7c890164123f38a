import { expect, test } from 'vitest'
import { createTestGalley } from '../testing/galley.ts'
import { connectAgent } from './testing/agent.ts'

async function start() {
  const galley = await createTestGalley()
  const { id: document } = await galley.newDocument({ title: 'On proofs', content: 'A word. Out it goes.' })
  return { galley, document, agent: await connectAgent(galley, galley.as.owner.key) }
}

test('what a tool doesn’t know is refused with what it knows', async () => {
  const { agent, document } = await start()
  expect(await agent.isRefused('read', { document, line: '1' })).toMatch(/“line”.*document, heading, lines/)
  const edits = [{ find: 'word', replace: 'x', text: 'y' }]
  expect(await agent.isRefused('edit', { document, edits })).toMatch(/“replace”.*do, find, heading/)
})

test('nothing long is said back, and one is one', async () => {
  const { agent, document } = await start()
  const long = 'x'.repeat(100_000)
  expect((await agent.does('find', { query: long })).length).toBeLessThan(400)
  expect((await agent.isRefused('read', { document, heading: long })).length).toBeLessThan(400)
  expect(await agent.does('read', { document })).toContain(', 1 line, ')
  await agent.does('share', { document, do: 'create', allows: 'comment' })
  expect(await agent.does('request_review', { document, wait_seconds: 0 })).toContain('1 link, ')
  const mistaken = await agent.isRefused('read', { document, since_revision: 99 })
  expect(mistaken).not.toContain('Nothing was changed')
})

test('a day is taken to its end', async () => {
  const { agent, document, galley } = await start()
  const made = await agent.does('share', { document, do: 'create', allows: 'view', expires_at: '2099-02-03' })
  expect(made).toContain('until 2099-02-03T23:59:59')
  await agent.does('request_review', { document, due_at: '2099-02-03', wait_seconds: 0 })
  const { data } = await galley.call('GET', `/api/documents/${document}/rounds`, { as: galley.as.owner })
  expect(data[0].due_at).toMatch(/^2099-02-03T23:59:59/)
})

test('what was half done is a failure that says what was done', async () => {
  const { agent, document, galley } = await start()
  const { id } = await galley.newSuggestion(document, galley.as.owner, { original_text: 'word' })
  const { id: comment } = await galley.newComment(document)
  expect(await agent.isRefused('resolve', { document, as: 'resolve', ids: [comment, id] })).toMatch(
    /Resolved \[.*\]\n.*is a suggestion: it is settled with “as”: “accept”/,
  )
  expect(await agent.isRefused('resolve', { document, as: 'accept', ids: [id, comment] })).toMatch(
    /is accepted\.\n.*is no suggestion/,
  )
})

test('a resource that isn’t there is said not to be, whether it is read or followed', async () => {
  const { agent } = await start()
  const missing = 'galley://documents/5f0c9b1e-0000-4000-8000-000000000000'
  for (const uri of [missing, `${missing}/feedback`, 'galley://elsewhere'])
    for (const asked of [agent.client.readResource({ uri }), agent.client.subscribeResource({ uri })])
      await expect(asked).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/not found/i),
      })
})

test('a line is read to its end, however long it is', async () => {
  const galley = await createTestGalley()
  const content = `Short.\nx${'🖋'.repeat(250)}\nThe end.`
  const { id: document } = await galley.newDocument({ title: 'T', content })
  const agent = await connectAgent(galley, galley.as.owner.key)
  let read = ''
  let args: object = { lines: '2-' }
  for (let times = 0; times < 20; times++) {
    const answer = await agent.does('read', { document, ...args, max_characters: 100 })
    const [, text = '', more = ''] = /^[^\n]*\n\n([^]*?)(\n\([^]*)?$/.exec(answer)!
    read += text
    const [, from] = /“from_character”: (\d+)/.exec(more) ?? []
    const [, lines] = /“lines”: “([^”]*)”/.exec(more) ?? []
    if (from === undefined && lines === undefined) break
    args = from === undefined ? { lines } : { lines: '2-', from_character: Number(from) }
  }
  expect(read).toBe(content.slice('Short.\n'.length))
  expect(await agent.isRefused('read', { document, from_character: 9_999 })).toContain('must be from 0 to')
})

test('of a line that is longer than an answer its beginning is shown, and how to get more', async () => {
  const galley = await createTestGalley()
  const content = `# T\n\n${'word '.repeat(20_001)}`
  const { id: document } = await galley.newDocument({ title: 'T', content })
  const agent = await connectAgent(galley, galley.as.owner.key)
  const first = await agent.does('read', { document })
  expect(first).toContain(`lines 1–3:\n\n${content.slice(0, 20_000)}\n(Line 3 goes on.`)
  const from_character = Number(/“from_character”: (\d+)/.exec(first)![1])
  const second = await agent.does('read', { document, from_character })
  expect(second).toContain(`:\n\n${content.slice(20_000, 40_000)}\n(Line 3 goes on.`)
})

test('what changes nothing makes no revision', async () => {
  const { agent, document, galley } = await start()
  const edits = [{ find: 'A word.', text: 'A word.' }]
  const same = await agent.does('edit', { document, edits, title: 'On proofs' })
  expect(same).toContain('Nothing changed: revision 1')
  expect(await agent.does('edit', { document, edits })).toContain('Nothing changed')
  expect(galley.store.documents.find(document)!.revision).toBe(1)
  expect(await agent.does('edit', { document, title: 'Other' })).toContain('Its title is “Other” now.')
  const reader = await connectAgent(galley, galley.as.reader.key)
  expect(await reader.isRefused('edit', { document, edits })).toContain('FORBIDDEN')
})

test('advice is about what was asked for, and what may be done', async () => {
  const { agent, document, galley } = await start()
  const later = await agent.isRefused('read', { document, since_revision: 99 })
  expect(later).toMatch(/no revision 99 yet: the newest is 1\. “versions”/)
  const none = await agent.isRefused('versions', { document, do: 'read', revision: 99 })
  expect(none).toBe('NOT_FOUND: Revision not found. Call “versions” for those there are.')
  const file = await agent.isRefused('files', { document, do: 'get', name: 'a.png' })
  expect(file).toContain('“files”')
  const gone = (await galley.newDocument()).id
  const key = galley.newKey(galley.user.id, 'manage', { documents: [gone] })
  await galley.call('POST', `/api/documents/${gone}/trash`, { as: galley.as.owner })
  const chosen = await connectAgent(galley, key)
  expect(await chosen.does('find')).toMatch(/no documents yet for this key, and it may make none/)
})

test('a heading is known however it is written down', async () => {
  const galley = await createTestGalley()
  const content = '# One\n\nFirst.\n\n## Two `x` ##\n\nSecond.\n\n## Like (line 3)\n\nThird.\n'
  const { id: document } = await galley.newDocument({ title: 'T', content })
  const agent = await connectAgent(galley, galley.as.owner.key)
  for (const heading of ['Two x', '## Two `x`', '##Two x', '## Two x ##', '# Two x', '## Two x (line 5)'])
    expect(await agent.does('read', { document, heading })).toContain('Second.')
  expect(await agent.does('read', { document, heading: '## Like (line 3)' })).toContain('Third.')
})

test('tools that take away or decide say so', async () => {
  const { agent } = await start()
  const { tools } = await agent.client.listTools()
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)
  expect(destructive).toEqual(['resolve', 'share', 'files'])
})
