import { describe, expect, test } from 'vitest'
import { run as runCommand, startServer, testFolder } from '../testing/cli.ts'

function scene() {
  const folder = testFolder()
  const run = (...args: string[]) => runCommand(...args, '--data', folder)
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out) as unknown
  return { folder, run, json }
}
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string

describe('keys', () => {
  test('are listed without themselves, by user or all', async () => {
    const { run, json } = scene()
    const key = (await run('key', 'create', '--name', 'Backup', '--read')).out.trim()
    await run('user', 'add', 'Ada')
    const made = (await json('key', 'create', '--name', 'Ada’s robot', '--user', 'Ada')) as { key: string }
    expect(made).toMatchObject({ id: uuid, name: 'Ada’s robot', access: 'full', user: { name: 'Ada' } })
    const list = (await json('key', 'list')) as unknown[]
    expect(list).toMatchObject([
      { name: 'Backup', prefix: key.slice(0, 12), access: 'read', last_used_at: null, expires_at: null },
      { name: 'Ada’s robot', prefix: made.key.slice(0, 12) },
    ])
    expect(await json('key', 'list', '--user', 'Ada')).toEqual(list.slice(1))
    const { out } = await run('key', 'list')
    expect(out.trim().split('\n')).toHaveLength(2)
    expect(out).toMatch(
      new RegExp(`^\\S{36}  ${key.slice(0, 12)}…  Backup \\(Owner; read, never used\\)$`, 'm'),
    )
    for (const secret of [key, made.key]) expect(JSON.stringify(list) + out).not.toContain(secret)
  })

  test('are for an agent, for some documents and for a while, where that is said', async () => {
    const { folder, run, json } = scene()
    const { url } = await startServer(folder)
    const whole = (await run('key', 'create', '--name', 'Whole')).out.trim()
    const ask = async (key: string, path: string, body?: object) => {
      const answer = await fetch(`${url}/api${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      })
      return (await answer.json()) as { data: { id: string; title: string }[] & { id: string } }
    }
    const { id } = (await ask(whole, '/documents', { title: 'Chosen' })).data
    await ask(whole, '/documents', { title: 'Other' })
    const made = (await json(
      ...['key', 'create', '--name', 'Claude', '--agent', '--document', id, '--expires', '30d'],
    )) as { key: string; expires_at: string }
    expect(made).toMatchObject({ kind: 'agent', access: 'suggest', documents: [id] })
    expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect((await ask(made.key, '/documents')).data.map(({ title }) => title)).toEqual(['Chosen'])
    // When it was used is noted as soon as there is nothing else to do.
    await expect
      .poll(async () => (await run('key', 'list')).out, { timeout: 15_000 })
      .toMatch(/Claude \(Owner; agent, suggest, 1 document only, used /)

    const refused = async (...options: string[]) =>
      (await run('key', 'create', '--name', 'x', ...options)).code
    for (const wrong of [
      ['--access', 'all'],
      ['--read', '--access', 'edit'],
      ['--expires', 'soon'],
      ['--expires', '0d'],
      ['--expires', '2020-01-31'],
      ['--document', id, '--access', 'full'],
    ])
      expect(await refused(...wrong)).toBe(2)
    expect((await run('key', 'create', '--name', 'x', '--expires', '2020-01-31')).error).toContain(
      'must be in the future',
    )
    expect(await run('key', 'create', '--name', 'x', '--document', 'No such Document')).toMatchObject({
      code: 3,
      error: expect.stringContaining('“No such Document”') as string,
    })
    // By its title, as everywhere, or a beginning.
    for (const named of ['Chosen', id.slice(0, 8)])
      expect(await json('key', 'create', '--name', 'x', '--document', named)).toMatchObject({
        documents: [id],
      })
  })

  test('are revoked by id, beginning or name, and from then on refused by a server that runs', async () => {
    const { folder, run, json } = scene()
    const { url } = await startServer(folder)
    for (const by of ['id', 'prefix', 'name', 'key'] as const) {
      const made = (await json('key', 'create', '--name', `By ${by}`)) as Record<typeof by, string>
      const read = async () =>
        (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${made.key}` } })).status
      expect(await read()).toBe(200)
      expect(await run('key', 'revoke', made[by])).toEqual({
        code: 0,
        out: `Revoked ${made.prefix}… (By ${by}).\n`,
        error: '',
      })
      expect(await read()).toBe(401)
    }
    expect(await json('key', 'list')).toEqual([])
  })

  test('are not revoked where it isn’t clear which is meant', async () => {
    const { run, json } = scene()
    for (const _ of [1, 2]) await run('key', 'create', '--name', 'Twin')
    const twice = await run('key', 'revoke', 'Twin')
    expect([twice.code, twice.out]).toEqual([1, ''])
    for (const { id } of (await json('key', 'list')) as { id: string }[]) expect(twice.error).toContain(id)
    expect((await run('key', 'revoke', 'Nobody')).error).toContain('There is no API key “Nobody”')
    expect(await json('key', 'list')).toHaveLength(2)
  })
})

test('users are listed, the machine’s own first', async () => {
  const { run, json } = scene()
  expect((await run('user', 'list')).error).toContain('There is no Galley data')
  const id = (await run('user', 'add', 'Ada')).out.trim()
  expect(await json('user', 'list')).toMatchObject([
    { id: uuid, name: 'Owner' },
    { id, name: 'Ada' },
  ])
  expect((await run('user', 'list')).out).toMatch(/^\S{36} {2}Owner\n\S{36} {2}Ada\n$/)
  expect(await json('user', 'add', 'Grace')).toMatchObject({ id: uuid, name: 'Grace' })
})

describe('a new sign-in link', () => {
  const exchange = async (link: string) => {
    const [base, ticket] = link.split('/sign-in#')
    const answer = await fetch(`${base}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
    return { status: answer.status, body: (await answer.json()) as { data: { name: string } } }
  }

  test('signs in once at the server that runs, the owner or any user', async () => {
    const { folder, run, json } = scene()
    const { url } = await startServer(folder)
    await run('user', 'add', 'Ada')
    const { out, code, error } = await run('sign-in')
    expect([code, error]).toEqual([0, ''])
    expect(out.startsWith(`${url}/sign-in#`)).toBe(true)
    expect(await exchange(out.trim())).toMatchObject({ status: 201, body: { data: { name: 'Owner' } } })
    expect((await exchange(out.trim())).status).toBe(401)
    const asked = (await json('sign-in', '--user', 'Ada')) as { url: string; valid_minutes: number }
    expect(asked.valid_minutes).toBe(15)
    expect((await exchange(asked.url)).body.data.name).toBe('Ada')
    expect((await run('sign-in', '--user', 'Nobody')).error).toContain('There is no user “Nobody”')
  })

  test('has the address of a proxy that stands before the server', async () => {
    const { folder, run } = scene()
    await startServer(folder, ['--url', 'https://write.example.org'])
    expect((await run('sign-in')).out).toMatch(/^https:\/\/write\.example\.org\/sign-in#\S+\n$/)
  })

  test('is none where no server runs', async () => {
    const { run } = scene()
    await run('user', 'add', 'Ada')
    const { code, out, error } = await run('sign-in')
    expect([code, out]).toEqual([1, ''])
    expect(error).toContain('No Galley is running')
  })
})

test('what is checked is told as JSON too', async () => {
  const { run, json } = scene()
  await run('user', 'add', 'Ada')
  expect(await json('check')).toMatchObject({ ok: true, findings: [], counts: { users: 2, documents: 0 } })
})
