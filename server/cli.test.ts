import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from './cli.ts'
import { commandNames } from './contract/command-names.ts'
import { run, runProcess, startServer, testFolder } from './testing/cli.ts'

const names = [
  'serve',
  'import',
  'export',
  'doc list',
  'review',
  'completion',
  'man',
  'key create',
  'key list',
  'key revoke',
  'user add',
  'user list',
  'sign-in',
  'version',
  'tunnel status',
  'tunnel ssh-key',
  'tunnel program',
  'backup',
  'restore',
  'check',
]

describe('help', () => {
  test('lists every command', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, out, error } = await run(...args)
      expect([code, error]).toEqual([0, ''])
      for (const name of names) expect(out).toMatch(new RegExp(`^  ${name}  `, 'm'))
    }
  })

  test.each(names)('of %s tells what it takes, whatever else is said', async (name) => {
    for (const args of [
      [...name.split(' '), '--help'],
      ['help', ...name.split(' ')],
      [...name.split(' '), '--bogus', '-h'],
    ]) {
      const { code, out, error } = await run(...args)
      expect([code, error]).toEqual([0, ''])
      expect(out).toContain(`Usage: galley ${name}`)
      expect(out).toContain('--data DIR')
    }
  })

  test('of a family of commands lists its members', async () => {
    for (const args of [
      ['key', '--help'],
      ['help', 'key'],
      ['user', '-h'],
    ]) {
      const { code, out, error } = await run(...args)
      expect([code, error]).toEqual([0, ''])
      const family = args.find((word) => ['key', 'user'].includes(word))!
      for (const name of names) expect(out.includes(`  ${name}  `), name).toBe(name.startsWith(`${family} `))
    }
  })

  test('the version is printed in whichever way it is asked for', async () => {
    const { out } = await run('--version')
    expect(out).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
    for (const args of [['-v'], ['version']]) expect(await run(...args)).toEqual({ code: 0, out, error: '' })
    expect(JSON.parse((await run('version', '--json')).out)).toEqual({ version: out.trim() })
  })

  test('--version prints the version only', async () => {
    expect(await runProcess(['--version'])).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) as string,
    })
  })
})

describe('wrong usage is exit code 2, with one line on standard error', () => {
  test.each([
    [[], 'Say what to do'],
    [['--nonsense'], 'Say what to do'],
    [['fly'], 'no command “fly”'],
    [['key'], 'Do you mean “key create” or “key list” or “key revoke”'],
    [['key', 'revoke'], 'Something is missing'],
    [['sign-in', 'Ada'], '“Ada” is one word too many'],
    [['user', 'remove', 'x'], 'Do you mean “user add”'],
    [['key', 'create'], '--name'],
    [['key', 'create', '--name'], '--name'],
    [['key', 'create', '--name', '  '], '1 to 100 characters'],
    [['key', 'create', '--name', 'x'.repeat(101)], '1 to 100 characters'],
    [['key', 'create', '--name', 'x', '--write'], "Unknown option '--write'"],
    [['key', 'create', '--name', 'x', 'y'], '“y” is one word too many'],
    [['tunnel'], 'Do you mean “tunnel status” or “tunnel ssh-key”'],
    [['serve', '--tunnel', 'pigeon'], '--tunnel takes url, ssh, cloudflared or ngrok, not “pigeon”'],
    [['serve', '--tunnel', 'url', '--ssh-direct'], '--tunnel url takes no --ssh-direct'],
    [['serve', '--public-address', 'https://a.example'], '--public-address goes with --tunnel'],
    [['serve', '--tunnel', 'ssh'], '--tunnel ssh and --ssh-server go together'],
    [
      ['serve', '--tunnel', 'ssh', '--ssh-server', 'example.org', '--public-address', 'https://a.example'],
      '--ssh-server takes USER@HOST',
    ],
    [
      ['serve', '--tunnel', 'ssh', '--ssh-server', 'me@a:0', '--public-address', 'https://a.example'],
      'from 1 to 65535',
    ],
    [['tunnel', 'ssh-key', '--ssh-listen', 'here'], '--ssh-listen takes a port'],
    [['serve', '--tunnel', 'url'], '--public-address go together'],
    [['user', 'add'], 'missing'],
    [['user', 'add', ''], '1 to 80 characters'],
    [['user', 'add', 'Anna', 'Smith'], '“Smith” is one word too many'],
    [['import'], 'missing'],
    [['export'], 'missing'],
    [['backup'], 'missing'],
    [['backup', 'a', 'b'], 'too many'],
    [['restore'], 'missing'],
    [['restore', 'x', '--force'], "Unknown option '--force'"],
    [['check', 'x'], 'too many'],
    [['check', '--data'], '--data'],
    [['check', '--data', ''], '--data takes a folder'],
    [['serve', 'here'], 'too many'],
    [['serve', '--port', 'http'], 'port number'],
    [['serve', '--port', '65536'], 'port number'],
    [['serve', '--host', '0.0.0.0'], '--allow-host'],
    [['serve', '--url', 'galley.example.org'], 'https://galley.example.org'],
    [['serve', '--url', 'https://galley.example.org/app'], '--url takes'],
    [['serve', '--url', 'https://me@galley.example.org'], '--url takes'],
    [['serve', '--log-level', 'loud'], '--log-level'],
  ])('galley %j', async (args, message) => {
    const { code, out, error } = await run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(error).toContain(message)
    expect(error).toMatch(/^galley: [^\n]*--help”\.\n$/)
  })

  test('as a process, too', async () => {
    const { code, out, error } = await runProcess(['key', 'create', '--bogus'])
    expect([code, out]).toEqual([2, ''])
    expect(error).toMatch(/^galley: Unknown option '--bogus'\. .*\n$/)
  })
})

describe('the data folder', () => {
  test('may be named before the command and after it', async () => {
    const folder = testFolder()
    expect((await run('--data', folder, 'user', 'add', 'Anna')).code).toBe(0)
    expect((await run('check', `--data=${folder}`)).out).toMatch(/^ok: 2 users, /)
  })

  test('is made for its owner only', async () => {
    const folder = path.join(testFolder(), 'a', 'b')
    await run('user', 'add', 'Anna', '--data', folder)
    expect(readdirSync(folder).sort()).toEqual(['backups', 'galley.db'])
    if (process.platform === 'win32') return
    for (const at of [folder, path.join(folder, 'backups')]) expect(statSync(at).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(folder, 'galley.db')).mode & 0o777).toBe(0o600)
  })

  test('is not made by commands that only read', async () => {
    const folder = path.join(testFolder(), 'none')
    for (const args of [
      ['check'],
      ['export', path.join(testFolder(), 'x')],
      ['backup', path.join(testFolder(), 'x')],
    ]) {
      expect(await run(...args, '--data', folder)).toEqual({
        code: 1,
        out: '',
        error: `galley: There is no Galley data in ${folder}.\n`,
      })
    }
    expect(existsSync(folder)).toBe(false)
  })

  test('that can’t be one is refused in one line', async () => {
    const file = path.join(testFolder(), 'file')
    writeFileSync(file, '')
    const { code, out, error } = await run('user', 'add', 'Anna', '--data', file)
    expect([code, out]).toEqual([1, ''])
    expect(error).toMatch(/^galley: [^\n]+\n$/)
  })

  test.runIf(process.getuid?.() === 0)('that may not be written is refused in one line', async () => {
    const folder = testFolder()
    chmodSync(folder, 0o755)
    const { code, out, error } = await runProcess(['user', 'add', 'Anna', '--data', folder], {
      uid: 65534,
      gid: 65534,
    })
    expect([code, out]).toEqual([1, ''])
    expect(error).toBe(
      `galley: ${folder} can’t be opened for writing. Check its permissions and its folder’s.\n`,
    )
  })

  test('with something else in place of the database is refused by every command', async () => {
    const folder = testFolder()
    writeFileSync(path.join(folder, 'galley.db'), 'not a database '.repeat(500))
    for (const args of [['check'], ['user', 'add', 'Anna'], ['export', path.join(folder, 'out')]]) {
      const { code, out, error } = await run(...args, '--data', folder)
      expect([code, out]).toEqual([1, ''])
      expect(error).toMatch(/^galley: [^\n]*not a readable database[^\n]*\n$/)
    }
  })
})

test('behind a TLS proxy of one’s own, printed links are those that a browser can open', async () => {
  const folder = testFolder()
  const { child, url } = await startServer(folder, ['--url', 'https://galley.example.org/'])
  expect(url).toBe('https://galley.example.org')
  const { url: local } = JSON.parse(readFileSync(path.join(folder, 'server.json'), 'utf8')) as { url: string }
  expect(local).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const status = (host: string) =>
    new Promise((resolve) =>
      get(local, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)),
    )
  expect([await status('galley.example.org'), await status('elsewhere.example')]).toEqual([200, 403])
  child.kill('SIGTERM')
})

describe('keys and users', () => {
  test('print only what scripts need, and work beside a server that runs', async () => {
    const folder = testFolder()
    const { url } = await startServer(folder)
    const get = async (key: string) => fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${key}` } })
    const key = await runProcess(['key', 'create', '--name', 'CI', '--data', folder])
    expect(key).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringMatching(/^gally_[0-9a-f]{32}\n$/) as string,
    })
    expect(await (await get(key.out.trim())).json()).toMatchObject({ data: { name: 'Owner' } })

    const user = await run('user', 'add', 'Anna', '--data', folder)
    expect(user).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringMatching(/^[0-9a-f-]{36}\n$/) as string,
    })
    for (const name of ['Anna', user.out.trim()]) {
      const hers = await run('key', 'create', '--name', 'x', '--user', name, '--read', '--data', folder)
      expect(await (await get(hers.out.trim())).json()).toMatchObject({
        data: { id: user.out.trim(), name: 'Anna' },
      })
      const made = await fetch(`${url}/api/documents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${hers.out.trim()}`, 'content-type': 'application/json' },
        body: '{}',
      })
      expect(made.status).toBe(403)
    }
  })

  test('a user that is unknown, or there already, is an error', async () => {
    const folder = testFolder()
    await run('user', 'add', 'Anna', '--data', folder)
    expect(await run('user', 'add', ' Anna ', '--data', folder)).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(
        /^galley: There is a user called “Anna” already \([0-9a-f-]{36}\)\.\n$/,
      ) as string,
    })
    expect(await run('key', 'create', '--name', 'x', '--user', 'Bob', '--data', folder)).toEqual({
      code: 1,
      out: '',
      error: 'galley: There is no user “Bob”. There are “Owner”, “Anna”.\n',
    })
  })

  test('a name that two users have since taken must be told apart by id', async () => {
    const folder = testFolder()
    const anna = (await run('user', 'add', 'Anna', '--data', folder)).out.trim()
    const bob = (await run('user', 'add', 'Bob', '--data', folder)).out.trim()
    const { openStore } = await import('./store/store.ts')
    const store = openStore({ file: path.join(folder, 'galley.db') })
    store.users.update(bob, { name: 'Anna' })
    store.close()
    const { code, error } = await run('key', 'create', '--name', 'x', '--user', 'Anna', '--data', folder)
    expect(code).toBe(1)
    expect(error).toBe(`galley: There are 2 users called “Anna”; name one by id: ${anna}, ${bob}.\n`)
  })
})

describe('one server per data folder', () => {
  test('a second one says who holds it; after the first was killed, another may', async () => {
    const folder = testFolder()
    const first = await startServer(folder)
    const facts = path.join(folder, 'server.json')
    expect(JSON.parse(readFileSync(facts, 'utf8'))).toMatchObject({ url: first.url, pid: first.child.pid })
    if (process.platform !== 'win32') expect(statSync(facts).mode & 0o777).toBe(0o600)

    const second = await runProcess(['serve', '--port', '0', '--share-port', '0', '--data', folder])
    expect([second.code, second.out]).toEqual([1, ''])
    expect(second.error).toMatch(/^galley: [^\n]+\n$/)
    expect(second.error).toContain(
      `${folder} is in use by Galley ${JSON.parse(readFileSync(facts, 'utf8')).version} (process ${first.child.pid}) at ${first.url}.`,
    )
    expect((await fetch(`${first.url}/api/me`)).status).toBe(401)

    first.child.kill('SIGKILL')
    await first.ended
    const third = await startServer(folder)
    expect(JSON.parse(readFileSync(facts, 'utf8'))).toMatchObject({ url: third.url, pid: third.child.pid })
    third.child.kill('SIGTERM')
    await third.ended
    expect(third.child.exitCode).toBe(0)
    expect(existsSync(facts)).toBe(false)
  })

  test('a signal that a launcher hands on once more does not cut the end short', async () => {
    const folder = testFolder()
    const { child, ended } = await startServer(folder)
    child.kill('SIGINT')
    child.kill('SIGTERM')
    child.kill('SIGINT')
    await ended
    expect(child.exitCode).toBe(0)
    expect(existsSync(path.join(folder, 'galley.db-wal'))).toBe(false)
  })

  test('a data folder that is a file is told as such', async () => {
    const file = path.join(testFolder(), 'notes.md')
    writeFileSync(file, 'text')
    for (const data of [file, path.join(file, 'below')]) {
      const { code, error } = await run('serve', '--port', '0', '--share-port', '0', '--data', data)
      expect({ code, error }).toEqual({
        code: 1,
        error: `galley: ${data} is not a folder, and can’t become one.\n`,
      })
    }
  })
})

describe('a data folder that can’t be used is said to be that at once', () => {
  test('one that can’t be looked into', async () => {
    const loop = path.join(testFolder(), 'loop')
    symlinkSync(loop, loop)
    for (const args of [
      ['check'],
      ['export', path.join(testFolder(), 'out')],
      ['backup', path.join(testFolder(), 'b')],
    ]) {
      const { code, error } = await run(...args, '--data', loop)
      expect(code).toBe(1)
      expect(error).toMatch(/can’t be seen \(ELOOP\)/)
    }
  })

  test.skipIf(process.platform !== 'linux')('one where no folder can be made', async () => {
    for (const args of [
      ['serve', '--port', '0', '--share-port', '0'],
      ['key', 'create', '--name', 'x'],
    ]) {
      const { code, error } = await run(...args, '--data', '/proc/galley/data')
      expect(code).toBe(1)
      expect(error).toMatch(/^galley: .*\/proc\/galley/)
    }
  })
})

test('a reader who stops reading is no fault', async () => {
  const folder = testFolder()
  mkdirSync(path.join(folder, 'notes'))
  for (let i = 0; i < 50; i++) writeFileSync(path.join(folder, 'notes', `${i}.md`), Buffer.from([0xff, 0xfe]))
  writeFileSync(path.join(folder, 'notes', 'z.md'), 'text')
  const data = path.join(folder, 'data')
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'cli.ts'), 'import', path.join(folder, 'notes'), '--data', data],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  child.stdout.destroy()
  child.stderr.destroy()
  await once(child, 'close')
  expect(child.exitCode).toBe(1)
  expect((await run('check', '--data', data)).out).toContain(' 1 document,')
})

test('the desktop app knows the words that commands begin with', () => {
  const first = commands.map(({ name }) => name.split(' ')[0]!)
  expect([...commandNames].sort()).toEqual([...new Set([...first, 'help'])].sort())
})
