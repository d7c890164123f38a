import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createGalley, type Galley } from '../../app.ts'
import { galleyElsewhere } from '../galley/remote.ts'
import { run, runWith, testFolder } from '../../testing/cli.ts'

// Everything is done both ways: on the data folder, beside the server that runs on it, and over HTTP with a key.
let folder: string
let server: Galley
let keys: { full: string; read: string }
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-doc-'))
  server = await createGalley({ dataFolder: folder, port: 0, sharePort: 0, logLevel: 'silent' })
  const key = async (...more: string[]) =>
    (await run('key', 'create', '--name', 'Test', ...more, '--data', folder)).out.trim()
  keys = { full: await key(), read: await key('--read') }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true })
})

// eslint-disable-next-line no-control-regex -- these are meant
const controls = /[\u001b\u202e]/

/** For what is done on the data folder while a command with a key is under way. */
const noKey = { GALLEY_KEY: undefined, GALLEY_URL: undefined }
type Typed = Parameters<typeof runWith>[0]
const ways = {
  'on the data folder': (typed: Typed, ...args: string[]) => runWith(typed, ...args, '--data', folder),
  'elsewhere, with a key': (typed: Typed, ...args: string[]) =>
    runWith({ ...typed, env: { GALLEY_URL: server.url, GALLEY_KEY: keys.full, ...typed.env } }, ...args),
}

describe.each(Object.entries(ways))('%s', (way, galley) => {
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await galley({}, ...args, '--json')).out)
  const make = async (title: string, content: string) => {
    const made = await galley({ input: content }, 'doc', 'new', '-', '--title', title)
    expect(made).toMatchObject({ code: 0, error: '' })
    return made.out.trim()
  }

  test('documents are listed, looked for and read as they are', async () => {
    const title = `Listed ${way}`
    const id = await make(title, '# One\r\n\r\nQuokkas, no last line end')
    const listed = await galley({}, 'doc', 'list')
    expect(listed.out.split('\n')[0]).toMatch(
      new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\dZ  ${title}$`),
    )
    expect(await json('doc', 'list', '--limit', '1')).toMatchObject([{ id, title }])
    expect(await json('doc', 'list', '--search', `quokkas ${way.split(' ')[0]}`)).toMatchObject([{ id }])

    for (const named of [id, id.slice(0, 8), title, `http://127.0.0.1:1/documents/${id}`])
      expect((await galley({}, 'doc', 'read', named)).out).toBe('# One\r\n\r\nQuokkas, no last line end')
    expect(await json('doc', 'read', id)).toMatchObject({ id, title, revision: 1 })
  })

  test('a terminal gets no control characters that somebody else wrote', async () => {
    const id = await make(`Escapes\u001b[2J ${way}`, 'a\u001b[31mb\r\nc')
    expect((await galley({ isRead: true }, 'doc', 'read', id)).out).toBe('a␛[31mb\nc\n')
    expect((await galley({}, 'doc', 'read', id)).out).toBe('a\u001b[31mb\r\nc')
    expect((await galley({}, 'doc', 'list', '--limit', '1')).out).not.toContain('\u001b')
  })

  test('a text is changed, compared, put into the trash and brought back', async () => {
    const id = await make(`Edited ${way}`, 'one\ntwo\nthree\n')
    expect(await galley({ input: 'one\n2\nthree\n' }, 'doc', 'edit', id, '-')).toMatchObject({
      code: 0,
      out: '',
      error: expect.stringContaining('revision 2') as string,
    })
    expect((await galley({}, 'doc', 'diff', id, '--from', '1')).out).toBe(
      '--- revision 1\n+++ revision 2\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    )
    expect((await galley({ input: 'one\n2\n' }, 'doc', 'diff', id, '-')).out).toContain('\n-three\n')
    expect((await galley({}, 'doc', 'read', id, '--revision', '1')).out).toBe('one\ntwo\nthree\n')

    // Made of revision 1: what was changed since is kept where it is elsewhere, and refused where it is the same.
    const merged = await galley(
      { input: 'one\ntwo\nthree\nfour\n' },
      'doc',
      'edit',
      id,
      '-',
      '--revision',
      '1',
    )
    expect(merged.code).toBe(0)
    expect((await galley({}, 'doc', 'read', id)).out).toBe('one\n2\nthree\nfour\n')
    const refused = await galley({ input: 'one\nTWO!\nthree\n' }, 'doc', 'edit', id, '-', '--revision', '1')
    expect(refused).toMatchObject({ code: 5, error: expect.stringContaining('galley doc diff') as string })

    expect(await json('doc', 'versions', id)).toMatchObject([
      { revision: 3 },
      { revision: 2 },
      { revision: 1 },
    ])
    expect(await json('doc', 'edit', id, '--title', `Renamed ${way}`)).toMatchObject({
      title: `Renamed ${way}`,
    })
    expect(await json('doc', 'restore', id, '--revision', '1')).toMatchObject({
      content: 'one\ntwo\nthree\n',
    })

    const deleted = await galley({}, 'doc', 'delete', `Renamed ${way}`)
    expect(deleted).toMatchObject({
      code: 0,
      error: expect.stringContaining(`galley doc restore ${id}`) as string,
    })
    expect(await galley({}, 'doc', 'read', id)).toMatchObject({ code: 3 })
    expect((await galley({}, 'doc', 'list', '--trash')).out).toContain(id)
    expect(await galley({}, 'doc', 'restore', `Renamed ${way}`)).toMatchObject({ code: 0 })
    expect(await galley({}, 'doc', 'read', id)).toMatchObject({ code: 0 })
  })

  test('who said something is told with what they are, and nobody passes for the owner', async () => {
    const id = await make(`Bylines ${way}`, 'A cat, and a dog.\n')
    const key = (await run('key', 'create', '--name', 'Claude', '--agent', '--data', folder)).out.trim()
    const env = { GALLEY_URL: server.url, GALLEY_KEY: key }
    const kitten = await runWith({ env }, 'suggest', id, 'cat', 'kitten')
    const token = /share\/(\w+)/.exec(
      (await galley({}, 'share', 'create', id, '--permission', 'comment')).out,
    )![1]
    await fetch(`${server.url}/api/documents/${id}/comments?share_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'Hm.\u202e', author_name: 'Owner' }),
    })
    const shown = await galley({}, 'review', id, '--list')
    expect(shown.out).toContain(`${kitten.out.trim()}  Owner (by agent with key “Claude”), `)
    expect(shown.out).toMatch(/^ {2}guest “Owner”, .*: Hm\.�$/m)
    await galley({}, 'review', id, '--accept', 'all')
    expect((await galley({}, 'doc', 'versions', id)).out).toMatch(
      /suggestion {2}Owner.*, suggested by Owner \(by agent with key “Claude”\)\n/,
    )
  })

  test('documents without a title are told as they are listed', async () => {
    for (const text of ['a', 'b']) await make('', text)
    const many = await galley({}, 'doc', 'read', '')
    expect(many.error).toMatch(/There are \d+ documents “Untitled”/)
  })

  test('an editor opens where somebody is there, and what can’t be saved isn’t lost', async () => {
    const id = await make(`Typed ${way}`, 'alpha\nbeta\n')
    expect(await galley({}, 'doc', 'edit', id)).toMatchObject({ code: 2 })
    expect(await galley({ edits: (text) => text }, 'doc', 'edit', id)).toMatchObject({ code: 0 })
    expect(await galley({ edits: (text) => text.replace('beta', 'gamma') }, 'doc', 'edit', id)).toMatchObject(
      {
        code: 0,
      },
    )
    expect((await galley({}, 'doc', 'read', id)).out).toBe('alpha\ngamma\n')
    const beside = async (text: string) => {
      await runWith({ input: text, env: noKey }, 'doc', 'edit', id, '-', '--data', folder)
      return text
    }
    const lost = await galley(
      {
        edits: async (text) => {
          await beside('alpha\ntheirs\n')
          return text.replace('gamma', 'mine')
        },
      },
      'doc',
      'edit',
      id,
    )
    expect(lost.code).toBe(5)
    const kept = /is in (\S.*?\.md)\./.exec(lost.error)![1]!
    expect(readFileSync(kept, 'utf8')).toBe('alpha\nmine\n')
    rmSync(path.dirname(kept), { recursive: true })
  })

  test('feedback is given, shown, answered and decided', async () => {
    const id = await make(`Reviewed ${way}`, 'The cat sat. The dog sat too.\n')
    const said = async (...args: string[]) => (await galley({}, ...args)).out.trim()
    const first = await said('suggest', id, 'cat', 'kitten', '--note', 'Warmer')
    const second = await said('suggest', id, 'dog', 'puppy')
    // A line end that a program adds is no part of what it says.
    const put = (old: string) => galley({ input: 'sat down\n' }, 'suggest', id, old, '-', '--json')
    for (const [old, text] of [
      ['The cat sat', 'sat down'],
      ['too.\n', 'sat down\n'],
    ] as const) {
      const third = JSON.parse((await put(old)).out) as { id: string; suggested_text: string }
      expect(third.suggested_text).toBe(text)
      await galley({}, 'review', id, '--reject', third.id)
    }
    const comment = await said('comment', id, 'Which one?', '--on', 'sat', '--occurrence', '2')
    expect(await galley({}, 'comment', id, 'Which?', '--on', 'sat')).toMatchObject({ code: 5 })
    expect(await galley({}, 'suggest', id, 'cow', 'calf')).toMatchObject({ code: 5 })
    const answer = await said('comment', id, 'Because.', '--reply-to', first.slice(0, 8))
    await said('comment', id, 'The first.', '--reply-to', comment)

    const shown = await galley({}, 'review', id)
    for (const line of ['  - cat', '  + kitten', '  Warmer', '  > sat', 'The first.', 'Because.'])
      expect(shown.out).toContain(line)
    expect(shown.error).toContain('2 pending suggestions, 1 open comment')
    expect(await json('review', id)).toMatchObject({
      suggestions: [{ id: first, replies: [{ id: answer }] }, { id: second }],
      comments: [{ id: comment, range: { start: 21, end: 24 } }, { parent_id: comment }],
    })
    expect((await galley({}, 'doc', 'read', id, '--feedback')).out).toMatch(
      /\{~~cat~>kitten~~\}\{>>@Owner(?: \(script\))?: Warmer<<\}/,
    )

    expect(await galley({}, 'review', id, '--accept', first.slice(0, 8), '--resolve', 'all')).toMatchObject({
      code: 0,
    })
    expect(await galley({}, 'review', id, '--accept', first)).toMatchObject({
      code: 5,
      error: expect.stringContaining('decided already') as string,
    })
    expect((await galley({}, 'doc', 'read', id)).out).toBe('The kitten sat. The dog sat too.\n')
    await galley({}, 'review', id, '--reopen', comment)

    // At a terminal each is asked about.
    const asked = await galley({ isRead: true, answers: ['x', 'r', 'n', 'This one.'] }, 'review', id)
    expect(asked).toMatchObject({ code: 0 })
    expect(asked.error).toContain('[a]ccept, [r]eject')
    expect(await json('review', id)).toMatchObject({
      suggestions: [],
      comments: [{}, {}, { body: 'This one.' }],
    })
  })

  test('what guests say whom the owner has hidden is neither shown nor decided with the rest', async () => {
    const id = await make(`Hidden ${way}`, 'alpha beta')
    const { token } = JSON.parse(
      (await galley({}, 'share', 'create', id, '--permission', 'suggest', '--json')).out,
    ) as { token: string }
    const ask = async (method: string, path: string, body: object, headers: Record<string, string>) => {
      const url = `${server.url}/api/documents/${id}/${path}`
      const init = { method, headers: { 'content-type': 'application/json', ...headers } }
      return ((await (await fetch(url, { ...init, body: JSON.stringify(body) })).json()) as { data: never })
        .data
    }
    const guest = { 'galley-share-token': token }
    const body = { original_text: 'beta', suggested_text: 'TROLL' }
    const { id: trolled } = (await ask('POST', 'suggestions', body, guest)) as { id: string }
    await ask('POST', 'comments', { body: 'Troll words' }, guest)
    const owner = { authorization: `Bearer ${keys.full}` }
    const all = (await json('review', id)) as {
      suggestions: { guest_id: string }[]
      comments: { guest_id: string }[]
    }
    for (const guestId of [all.suggestions[0]!.guest_id, all.comments[0]!.guest_id])
      await ask('PATCH', `guests/${guestId}`, { hidden: true }, owner)

    const shown = await galley({}, 'review', id)
    expect(shown.out).toBe('')
    expect(shown.error).toContain('2 more are from guests whom you have hidden')
    await galley({}, 'review', id, '--accept', 'all', '--resolve', 'all')
    expect((await galley({}, 'doc', 'read', id)).out).toBe('alpha beta')
    await galley({}, 'review', id, '--accept', trolled)
    expect((await galley({}, 'doc', 'read', id)).out).toBe('alpha TROLL')
  })

  test('share links are made, listed, ended and brought back', async () => {
    const id = await make(`Shared ${way}`, 'a')
    const made = await galley(
      {},
      'share',
      'create',
      id,
      '--permission',
      'suggest',
      '--label',
      'Ann',
      '--expires',
      '7d',
      '--agents',
    )
    expect(made.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/share\/[0-9a-f]{32}\n$/)
    expect(made.out).toContain(server.shareUrl)
    expect(made.error).toContain('galley tunnel status')
    const [link] = (await json('share', 'list', id)) as { id: string; token: string }[]
    expect(link).toMatchObject({ permission: 'edit', suggest_only: true, label: 'Ann', allows_agents: true })
    expect((await galley({}, 'share', 'list', id)).out).toMatch(
      / {2}suggest {2}http.* {2}“Ann” {2}until .* {2}for agents, too/,
    )
    expect(await galley({}, 'share', 'create', id, '--permission', 'own')).toMatchObject({ code: 2 })
    expect(await galley({}, 'share', 'create', id, '--expires', 'soon')).toMatchObject({ code: 2 })

    const revoked = await galley({}, 'share', 'revoke', id, made.out.trim())
    expect(revoked.error).toContain(`galley share restore ${id} ${link!.id}`)
    expect(await json('share', 'list', id)).toEqual([])
    expect(await galley({}, 'share', 'restore', id, link!.id)).toMatchObject({ code: 0, out: made.out })
  })

  test('what happens is told, also while somebody follows', async () => {
    const before = (await json('events', '--limit', '1000')) as { seq: number }[]
    const id = await make(`Told ${way}`, 'a')
    const since = String(before.at(-1)!.seq)
    expect(await json('events', '--since', since, '--document', id)).toMatchObject([
      { kind: 'document.created', document_id: id },
    ])
    const following = galley({}, 'events', '--follow', '--json', '--document', id, '--limit', '1')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await runWith({ input: 'b', env: noKey }, 'doc', 'edit', id, '-', '--data', folder)
    const told = (await following).out.split('\n')
    expect(told).toHaveLength(2)
    expect(JSON.parse(told[0]!)).toMatchObject({ kind: 'document.changed', revision: 2 })
    expect(await galley({}, 'events', '--since', 'nonsense')).toMatchObject({ code: 2 })
  })

  test('what isn’t there is told with its own exit code', async () => {
    const missing = '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'
    for (const named of [missing, 'No such title']) {
      const { code, out, error } = await galley({}, 'doc', 'read', named)
      expect([code, out]).toEqual([3, ''])
      expect(error).toMatch(/^galley: There is no (such )?document.*“galley doc list”.*\n$/)
    }
    await make('Twice', 'a')
    await make('Twice', 'b')
    expect(await galley({}, 'doc', 'read', 'Twice')).toMatchObject({ code: 1 })
    expect(await galley({}, 'doc', 'list', '--limit', 'x')).toMatchObject({ code: 2 })
  })
})

describe('a Galley elsewhere', () => {
  const asked = (env: Record<string, string>, ...args: string[]) =>
    runWith({ env: { GALLEY_DATA: folder, ...env } }, ...args)

  test('is asked only with a key that is good', async () => {
    expect(await asked({ GALLEY_URL: server.url }, 'doc', 'list')).toMatchObject({
      code: 4,
      error: expect.stringContaining('galley key create') as string,
    })
    expect(await asked({ GALLEY_URL: server.url, GALLEY_KEY: 'gally_no' }, 'doc', 'list')).toMatchObject({
      code: 4,
      error: expect.stringContaining('GALLEY_KEY isn’t good') as string,
    })
  })

  test('that doesn’t answer, or isn’t one, is told from one that refuses', async () => {
    const env = { GALLEY_KEY: keys.full }
    expect(await asked({ ...env, GALLEY_URL: 'http://127.0.0.1:9' }, 'doc', 'list')).toMatchObject({
      code: 6,
    })
    const other = createServer((_request, response) => void response.end('<h1>Welcome</h1>'))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const GALLEY_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await asked({ ...env, GALLEY_URL }, 'doc', 'list')).toMatchObject({ code: 6 })
    other.close()
    const noneHere = { GALLEY_KEY: keys.full, GALLEY_DATA: testFolder() }
    expect(await runWith({ env: noneHere }, 'doc', 'list')).toMatchObject({ code: 6 })
    for (const GALLEY_URL of ['nonsense', 'ftp://a', 'http://me:secret@127.0.0.1'])
      expect(await asked({ ...env, GALLEY_URL }, 'doc', 'list')).toMatchObject({ code: 2 })
  })

  test('is given up where no answer begins, except where one waits or sends much', async () => {
    const silent = createServer(() => {})
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const galley = galleyElsewhere(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, 'k', {
      within: 50,
    })
    await expect(galley.call('listDocuments')).rejects.toMatchObject({ code: 'OFFLINE' })
    const long = Promise.race([
      galley.call('createDocument', { body: { content: 'x'.repeat(100_000) } }),
      galley.events({ wait: 50 }),
    ]).catch(() => 'ended')
    await expect(galley.call('listTrash')).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(await Promise.race([long, Promise.resolve('goes on')])).toBe('goes on')
    silent.closeAllConnections()
    silent.close()
    expect(await long).toBe('ended')
  })

  test('says nothing to the terminal by what it makes up, or by what is wrong', async () => {
    const answers = [
      { data: [{ id: '\u001b[2J', title: 'T', updated_at: '2026-01-01T00:00:00.000Z' }], error: null },
      { data: [{ id: 'a', title: 'T', updated_at: '\u001b[2J' }], error: null },
      { data: null, error: { code: 'INTERNAL_ERROR', message: '\u001b[2J\u202e' } },
    ]
    const other = createServer((_request, response) => {
      const answer = answers.shift()!
      response.writeHead(answer.error ? 500 : 200).end(JSON.stringify(answer))
    })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const env = {
      GALLEY_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
      GALLEY_KEY: keys.full,
    }
    for (const code of [6, 6, 1]) {
      const outcome = await asked(env, 'doc', 'list')
      expect([outcome.code, outcome.out + outcome.error]).toEqual([code, expect.not.stringMatching(controls)])
    }
    other.close()
  })

  test.each([
    ['export', 'out'],
    ['import', 'a.md'],
    ['backup', 'b'],
    ['key', 'list'],
    ['tunnel', 'status'],
    ['mcp'],
  ])('isn’t reached by “%s”, which does nothing here instead', async (...args) => {
    const elsewhere = 'works only on this machine’s data'
    const env = { GALLEY_URL: server.url, GALLEY_KEY: keys.full }
    const { code, error } = await asked(env, ...args)
    expect([code, error]).toEqual([2, expect.stringContaining(elsewhere)])
    if (args[0] === 'mcp') expect(error).toContain('at /mcp of its address')
  })

  test('doesn’t keep from what is done on a folder that is named', async () => {
    const env = { GALLEY_URL: server.url }
    expect(await asked(env, 'user', 'list', '--data', folder)).toMatchObject({ code: 0 })
  })

  test('is told from the address of its links', async () => {
    const env = { GALLEY_URL: server.shareUrl, GALLEY_KEY: keys.full }
    const outcome = await asked(env, 'doc', 'list')
    expect(outcome).toMatchObject({
      code: 6,
      error: expect.stringContaining('share links open there') as string,
    })
  })

  test('is the one that runs here where only a key is given, which may do no more than it may', async () => {
    const env = { GALLEY_KEY: keys.read }
    expect(await asked(env, 'doc', 'list', '--limit', '1')).toMatchObject({ code: 0 })
    expect(
      await runWith({ env: { ...env, GALLEY_DATA: folder }, input: 'a' }, 'doc', 'new', '-'),
    ).toMatchObject({
      code: 4,
    })
    expect(await asked(env, 'doc', 'list', '--user', 'Owner')).toMatchObject({ code: 2 })
    // What would ask for no key isn’t done beside one.
    expect(await asked(env, 'doc', 'list', '--data', folder)).toMatchObject({ code: 2 })
    for (const words of [
      ['key', 'create', '--name', 'x'],
      ['user', 'list'],
      ['sign-in'],
      ['export', 'x'],
      ['backup', 'x'],
    ])
      expect(await asked(env, ...words, '--data', folder)).toMatchObject({
        code: 4,
        error: expect.stringContaining('GALLEY_KEY is set') as string,
      })
  })
})

test('a link that is made while no Galley runs is said to open nothing until one does', async () => {
  const data = testFolder()
  const id = (await runWith({ input: 'x' }, 'doc', 'new', '-', '--data', data)).out.trim()
  const made = await run('share', 'create', id, '--expires', '2100-01-31', '--data', data)
  expect(made).toMatchObject({
    code: 0,
    out: expect.stringContaining('/share/') as string,
    error: expect.stringContaining('opens nothing until Galley runs') as string,
  })
  for (const when of ['soon', '0d', '2020-01-31'])
    expect(await run('share', 'create', id, '--expires', when, '--data', data)).toMatchObject({ code: 2 })
  expect(await run('events', '--kind', 'nope', '--data', data)).toMatchObject({ code: 2 })
})
