import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createRenderer } from '../markdown/index.ts'
import type { KeyAccess } from '../contract/records/keys.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { connectAgent, connectByHttp } from './testing/agent.ts'

const markdown = createRenderer({ timeoutMs: 60_000 })
afterAll(() => markdown.close())

const content = `# On proofs

A galley is the draft that goes out for review.

## Why

People read “on paper” what they pass over.

## How

Send it out. Wait. Then send it out again.
`

async function start(galley?: TestGalley) {
  const made = galley ?? (await createTestGalley())
  // A busy machine may need longer than readers would wait.
  made.context.markdown = markdown
  const document = await made.newDocument({ title: 'On proofs', content })
  const agent = await connectAgent(made, made.as.owner.key)
  const textNow = () => made.store.documents.find(document.id)!.text.whole
  return { galley: made, agent, document: document.id, textNow }
}

test('reads a text whole, in parts, and what changed', async () => {
  const { agent, document } = await start()
  expect(await agent.does('read', { document })).toContain(content)
  const why = await agent.does('read', { document, heading: 'why' })
  expect(why).toContain('on paper')
  expect(why).not.toContain('Wait.')
  expect(await agent.does('read', { document, lines: '11-' })).toContain('lines 11–11:\n\nSend it out.')
  expect(await agent.does('read', { document, max_characters: 150 })).toContain('“lines”: “11-”')
  expect(await agent.does('read', { document, outline: true })).toContain('## How (line 9)')
  expect(await agent.isRefused('read', { document, heading: 'Where' })).toContain('## Why (line 5)')
  expect(await agent.does('read', { document, since_revision: 1 })).toContain('Nothing has changed')
  await agent.does('edit', { document, edits: [{ find: 'draft', text: 'proof' }] })
  const changed = await agent.does('read', { document, since_revision: 1 })
  expect(changed).toMatch(/@ line 3.*\n- draft\n\+ proof/)
})

test('names and words of blanks and line ends without end hold nobody up', async () => {
  const { agent, document, textNow } = await start()
  const long = 300_000
  for (const heading of [`${' '.repeat(long)}x`, `Why${' '.repeat(long)}x`, `Why ${'#'.repeat(long)}x`])
    expect(await agent.isRefused('read', { document, heading })).toContain('no heading')
  expect(await agent.isRefused('read', { document, lines: `${'1'.repeat(long)}x` })).toContain(
    '“lines” must be',
  )
  const text = `One.${'\n'.repeat(long)}Two.`
  await agent.does('edit', { document, edits: [{ do: 'append', text: `\n\n${text}\r\n` }] })
  expect(textNow().endsWith(`\n\n${text}\n`)).toBe(true)
})

test('edits all places or none, and shows what it could be', async () => {
  const { agent, document, textNow } = await start()
  const edits = (...edits: object[]) => ({ document, edits })
  const ambiguous = await agent.isRefused(
    'edit',
    edits({ find: 'draft', text: 'x' }, { find: 'end it out', text: 'x' }),
  )
  expect(ambiguous).toContain('stands 2 times')
  expect(ambiguous).toContain('1. line 11: …')
  expect(await agent.isRefused('edit', edits({ find: '"On Paper"', text: 'x' }))).toContain('⟦“on paper”⟧')
  expect(await agent.isRefused('edit', edits({ find: 'A galley is a text', text: 'x' }))).toContain(
    '⟦A galley is the draft',
  )
  expect(
    await agent.isRefused('edit', edits({ find: 'the draft', text: 'x' }, { find: 'draft', text: 'y' })),
  ).toContain('another one changes')
  expect(textNow()).toBe(content)
  await agent.does(
    'edit',
    edits(
      { find: 'Send it out', occurrence: 1, text: 'Print it' },
      { do: 'insert_before', find: 'on paper', text: 'only ' },
      { do: 'append', heading: 'Why', text: 'So print it.' },
      { do: 'append', text: 'The end.' },
    ),
  )
  expect(textNow()).toBe(
    content
      .replace('Send it out.', 'Print it.')
      .replace('on paper', 'only on paper')
      .replace('pass over.\n', 'pass over.\n\nSo print it.\n')
      .concat('\nThe end.\n'),
  )
})

test('suggests, comments, replies and settles under the name of its key', async () => {
  const { galley, agent, document, textNow } = await start()
  const because = { why: 'Shorter.' }
  await agent.isRefused('suggest', {
    document,
    suggestions: [
      { find: 'draft', text: 'x', ...because },
      { find: 'end', text: 'x', ...because },
    ],
  })
  expect(galley.store.suggestions.list(1)).toEqual([])
  await agent.does('suggest', {
    document,
    suggestions: [
      { find: 'goes out for review', text: 'is sent out', ...because },
      { do: 'insert_after', find: 'Wait.', text: ' Read.', ...because },
    ],
  })
  await agent.does('comment', {
    document,
    comments: [{ find: 'Wait.', body: 'How long?' }, { body: 'Good.' }, { heading: 'Why', body: 'More?' }],
  })
  const open = await agent.does('read', { document, feedback: 'open' })
  expect(open).toContain(
    '(by script with key “Test”), line 3, pending:\n  instead of:\n  > goes out for review\n  put:\n  > is sent out\n  why:\n  > Shorter.',
  )
  expect(open).toMatch(/line 11, on “Wait.”:\n {2}> How long\?/)
  const idOf = (words: string) => new RegExp(`\\[([0-9a-f-]+)\\][^[]*${words}`).exec(open)![1]!
  await agent.does('reply', { document, to: idOf('How long'), body: 'A week.' })
  await agent.does('reply', { document, to: idOf('is sent out'), body: 'Fine.' })
  await agent.does('resolve', { document, as: 'resolve', ids: [idOf('How long')] })
  await agent.does('resolve', { document, as: 'accept', ids: [idOf('is sent out')] })
  expect(textNow()).toContain('the draft that is sent out.')
  const all = await agent.does('read', { document, feedback: 'all' })
  expect(all).toContain('A week.')
  expect(all).toContain('Fine.')
  await agent.does('resolve', { document, as: 'reopen', ids: [idOf('is sent out'), idOf('How long')] })
  expect(textNow()).toBe(content)
})

test('accepts and takes back only what it has seen, where it says what that was', async () => {
  const { galley, agent, document, textNow } = await start()
  const suggestion = { original_text: 'draft', suggested_text: 'proof' }
  const { id } = await galley.newSuggestion(document, galley.as.owner, suggestion)
  const edit = (suggested_text: string) =>
    galley.call('PATCH', `/api/documents/${document}/suggestions/${id}`, {
      as: galley.as.owner,
      json: { suggested_text },
    })
  const editedAt = async () => {
    const shown = await agent.does('read', { document, feedback: 'all' })
    return /, edited_at (\S+):$/m.exec(shown)?.[1] ?? null
  }
  expect(await editedAt()).toBeNull()
  await edit('EVIL')
  const settle = (as: 'accept' | 'reopen', edited_at: string | null) => ({
    ...{ document, as, ids: [id], seen: [{ id, edited_at }] },
  })
  expect(await agent.isRefused('resolve', settle('accept', null))).toMatch(
    /stays pending: its author has changed it since you saw it \(CHANGED_SINCE\)\. “read”/,
  )
  expect(textNow()).toBe(content)
  expect(await agent.isRefused('resolve', settle('accept', 'just now'))).toContain('“seen.0.edited_at”')
  const seen = await editedAt()
  expect(await agent.does('resolve', settle('accept', seen))).toContain('is accepted.')
  expect(textNow()).toBe(content.replace('draft', 'EVIL'))
  expect(await agent.isRefused('resolve', settle('reopen', null))).toContain('stays accepted')
  expect(await agent.does('resolve', settle('reopen', seen))).toContain('is pending.')
  expect(textNow()).toBe(content)
})

test('what is wrong with an input is said of the fields that the tool has', async () => {
  const { agent, document } = await start()
  for (const to of ['x', randomUUID()])
    expect(await agent.isRefused('reply', { document, to, body: 'Yes.' })).toMatch(
      /^“to”: there is no comment/,
    )
  expect(await agent.isRefused('resolve', { document, as: 'accept', ids: [] })).toContain(
    '“ids” must have at least one entry.',
  )
  expect(await agent.isRefused('suggest', { document, suggestions: [{ find: 'x' }] })).toContain(
    'is required in “suggestions.0”',
  )
  // Also while a round runs, which then goes on as it is.
  for (const due_at of ['soon', '2020-01-01', 'soon', '2020-01-01']) {
    expect(await agent.isRefused('request_review', { document, due_at, wait_seconds: 0 })).toContain(
      '“due_at” must',
    )
    await agent.does('request_review', { document, wait_seconds: 0 })
  }
})

test('a key is offered by no answer what it may not do', async () => {
  const { galley, document } = await start()
  await galley.newComment(document)
  const told = async (access: KeyAccess) => {
    const agent = await connectAgent(galley, galley.newKey(galley.user.id, access))
    return [
      await agent.isRefused('wait_for_review', { document, wait_seconds: 0 }),
      await agent.does('files', { document }),
      await agent.does('read', { document, feedback: 'open' }),
    ].join('\n')
  }
  expect(await told('read')).not.toMatch(/Call “request_review”|“add”|“reply”|“resolve”/)
  expect(await told('suggest')).toMatch(
    /“reply” takes these ids, and “resolve” those of comments that you made/,
  )
  expect(await told('manage')).toMatch(
    /Call “request_review”[^]*“add”[^]*“reply”, and “resolve” to settle them/,
  )
})

test('asks people for a review, and goes on waiting where it stopped', async () => {
  const { galley, agent, document } = await start()
  const asked = await agent.does('request_review', { document, note: 'Too long?', wait_seconds: 0 })
  expect(asked).toContain('Nobody can answer yet')
  expect(asked).toContain('Nothing was said yet.')
  const since = Number(/"since": (\d+)/.exec(asked)![1])
  expect(await agent.does('share', { document, do: 'create', allows: 'suggest', label: 'Ada' })).toContain(
    'may suggest',
  )

  const token = galley.store.shareLinks.list(1)[0]!.token
  const waiting = agent.does('wait_for_review', { document, since, wait_seconds: 20 })
  await galley.call('POST', `/api/documents/${document}/comments`, {
    as: { token },
    json: { body: 'Not at all.', author_name: 'Ada' },
  })
  const said = await waiting
  expect(said).toContain('Not at all.')
  const next = Number(/"since": (\d+)/.exec(said)![1])
  await agent.does('comment', { document, comments: [{ body: 'Thank you.' }] })
  const { data } = await galley.call('GET', `/api/documents/${document}/rounds`, { as: galley.as.owner })
  await galley.call('PATCH', `/api/documents/${document}/rounds/${data[0].id}/review`, {
    as: { token },
    json: { finished: true, author_name: 'Ada' },
  })
  // What it said itself is no news.
  const done = await agent.does('wait_for_review', {
    document,
    since: next,
    wait_seconds: 20,
    until: 'finished',
  })
  expect(done).toContain('done: “Ada” (by link “Ada”)')
  expect(done).toContain('Not at all.')
})

test('does no more than its key may, and says what to do instead', async () => {
  const { galley, document } = await start()
  const reader = await connectAgent(galley, galley.as.reader.key)
  expect(await reader.does('read', { document })).toContain('galley')
  expect(await reader.isRefused('edit', { document, edits: [{ find: 'draft', text: 'x' }] })).toMatch(
    /FORBIDDEN.*Ask/,
  )
  const byKey = async (access: KeyAccess, documents?: string[]) =>
    connectAgent(galley, galley.newKey(galley.user.id, access, documents ? { documents } : {}))
  const suggester = await byKey('suggest')
  const review = await suggester.isRefused('request_review', { document })
  expect(review).toContain(
    'takes a key with access “manage” or more. Ask the person who runs Galley for one.',
  )
  expect(await suggester.isRefused('share', { document, do: 'create', allows: 'suggest' })).toContain(
    'access “manage”',
  )
  const change = { document, edits: [{ find: 'draft', text: 'x' }] }
  expect(await suggester.isRefused('edit', change)).toMatch(/access “edit”.*“suggest” the change/)
  const commenter = await byKey('comment')
  const wish = { document, suggestions: [{ find: 'draft', text: 'x', why: 'y' }] }
  expect(await commenter.isRefused('suggest', wish)).toMatch(/access “suggest”.*a “comment”/)
  expect(await reader.isRefused('edit', change)).not.toMatch(/“suggest” the|“comment”/)
  const { id } = await galley.newComment(document)
  expect(await commenter.isRefused('resolve', { document, as: 'resolve', ids: [id] })).toContain(
    'access “manage”',
  )
  const chosen = await byKey('manage', [document])
  expect(await chosen.isRefused('create', { title: 'New' })).toContain('chosen documents only')
  const stranger = await connectAgent(galley, galley.as.stranger.key)
  expect(await stranger.isRefused('read', { document })).toMatch(/NOT_FOUND.*“find”/)
  expect(await stranger.isRefused('versions', { document })).toContain('NOT_FOUND')
})

test('an agent’s key for one document tries all the rest in vain', async () => {
  const { galley, document, textNow } = await start()
  const other = (await galley.newDocument({ title: 'Secret', content: 'Nobody’s.' })).id
  const suggestion = await galley.newSuggestion(document, galley.as.owner, {
    ...{ original_text: 'draft', suggested_text: 'proof' },
  })
  const key = galley.newKey(galley.user.id, 'suggest', { kind: 'agent', documents: [document] })
  const agent = await connectByHttp(galley, { headers: { authorization: `Bearer ${key}` } })
  expect(await agent.does('find')).not.toContain('Secret')
  const { resources } = await agent.client.listResources()
  expect(resources.map(({ name }) => name)).toEqual(['On proofs'])
  const { kept, seq } = { kept: galley.store.documents.find(document), seq: galley.context.feed.last() }
  for (const [tool, args] of [
    ['read', { document: other }],
    ['comment', { document: other, comments: [{ body: 'x' }] }],
    ['create', { title: 'Mine' }],
    ['edit', { document, edits: [{ find: 'draft', text: 'x' }] }],
    ['edit', { document, title: 'x' }],
    ['resolve', { document, as: 'accept', ids: [suggestion.id] }],
    ['request_review', { document, wait_seconds: 0 }],
    ['share', { document }],
    ['share', { document, do: 'create', allows: 'edit' }],
    ['versions', { document, do: 'restore', revision: 1 }],
    ['versions', { document, do: 'name', revision: 1, name: 'x' }],
    ['files', { document, do: 'add', name: 'a.txt', base64: 'eA==' }],
  ] as const)
    expect(await agent.isRefused(tool, args), JSON.stringify([tool, args])).toMatch(/FORBIDDEN|NOT_FOUND/)
  expect([textNow(), galley.store.documents.find(document), galley.context.feed.last()]).toEqual([
    ...[content, kept, seq],
  ])
})

test('shares, exports, keeps files and versions', async () => {
  const { agent, document, textNow } = await start()
  const link = /\[([0-9a-f-]+)\]/.exec(
    await agent.does('share', { document, do: 'create', allows: 'view' }),
  )![1]
  expect(await agent.does('share', { document, do: 'change', link, allows: 'comment' })).toContain(
    'may comment',
  )
  await agent.does('share', { document, do: 'revoke', link })
  expect(await agent.does('share', { document })).toContain('No link')
  const { content: parts } = await agent.call('export', { document })
  expect(parts).toMatchObject([{ type: 'resource', resource: { text: content } }])
  const gif = 'R0lGODlhAQABAAAAACw='
  expect(await agent.does('files', { document, do: 'add', name: 'a.gif', base64: gif })).toContain(
    'files/a.gif',
  )
  for (const base64 of ['!!!notbase64', `data:image/gif;base64,${gif}`, 'R0lGO', 'é'])
    expect(await agent.isRefused('files', { document, do: 'add', name: 'b.gif', base64 })).toContain(
      'isn’t base64, and nothing was added',
    )
  expect(await agent.does('files', { document })).not.toContain('b.gif')
  const inLines = gif.replace(/.{8}/g, '$&\r\n').replace('==', '')
  await agent.does('files', { document, do: 'add', name: 'c.gif', base64: inLines })
  await agent.does('files', { document, do: 'delete', name: 'c.gif' })
  const shown = await agent.call('files', { document, do: 'get', name: 'a.gif' })
  expect(shown.content).toEqual([{ type: 'image', mimeType: 'image/gif', data: gif }])
  await agent.does('files', { document, do: 'delete', name: 'a.gif' })
  await agent.does('edit', { document, edits: [{ find: content, text: '' }] })
  expect(await agent.does('versions', { document })).toContain('revision 1')
  await agent.does('versions', { document, do: 'restore', revision: 1 })
  expect(textNow()).toBe(content)
})

test('documents are resources, whose changes are told; and there are prompts', async () => {
  const { galley, agent, document } = await start()
  const { client } = agent
  const uri = `galley://documents/${document}`
  const { resources } = await client.listResources()
  expect(resources).toMatchObject([{ uri, name: 'On proofs' }])
  const { contents } = await client.readResource({ uri })
  expect(contents).toMatchObject([{ text: content }])
  const told = new Promise((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
  })
  await client.subscribeResource({ uri })
  await galley.call('PATCH', `/api/documents/${document}`, { as: galley.as.owner, json: { content: 'New.' } })
  expect(await told).toBe(uri)
  const { messages } = await client.getPrompt({ name: 'review_text', arguments: { document } })
  expect(messages).toMatchObject([
    { content: { text: expect.stringContaining('“On proofs”') } },
    { content: { type: 'resource_link', uri } },
  ])
})
