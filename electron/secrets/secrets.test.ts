import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SecretFailure } from '../../server/contract/secrets.ts'
import { openSecrets, type Vault } from './secrets.ts'

let folder: string
let file: string
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  folder = mkdtempSync(path.join(os.tmpdir(), 'galley-secrets-'))
  file = path.join(folder, 'secrets.json')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Turns bytes over; a `key` stands before them. What another key sealed can't be opened, or is stale. */
function vault(key = 1, known = [1]): Vault & { asked: number } {
  const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a))
  return {
    asked: 0,
    async seal(secret) {
      this.asked++
      return Buffer.concat([Buffer.from([key]), flip(Buffer.from(secret))])
    },
    async open(sealed) {
      this.asked++
      if (!known.includes(sealed[0]!)) throw new SecretFailure('unreadable', 'Not mine.')
      return { secret: flip(sealed.subarray(1)).toString(), isStale: sealed[0] !== key }
    },
  }
}

test('what is set is found after a new start, for its account only, and can’t be read in the file', async () => {
  const secrets = openSecrets(file, vault())
  await secrets.set('ssh-key', 'öpen sésame')
  await secrets.set('ngrok-token', 'second')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('sésame')
  const again = openSecrets(file, vault())
  expect(await again.find('ssh-key')).toBe('öpen sésame')
  expect(await again.find('ngrok-token')).toBe('second')
  expect(await again.find('cloudflared-token')).toBeUndefined()
})

test('what is removed has gone from the file too', async () => {
  const secrets = openSecrets(file, vault())
  await secrets.set('ssh-key', 'one')
  await secrets.remove('ssh-key')
  expect(await secrets.find('ssh-key')).toBeUndefined()
  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test('the keychain isn’t asked, and no file made, as long as nothing is kept', async () => {
  const idle = vault()
  const secrets = openSecrets(file, idle)
  expect(await secrets.find('ssh-key')).toBeUndefined()
  await secrets.remove('ssh-key')
  expect(idle.asked).toBe(0)
  expect(existsSync(file)).toBe(false)
})

test('changes at the same time both count, the last one last, however long the keychain takes', async () => {
  const quick = vault()
  const slowFirst = {
    ...quick,
    async seal(secret: string) {
      if (secret === 'first') await new Promise((resolve) => setTimeout(resolve, 20))
      return quick.seal(secret)
    },
  }
  const secrets = openSecrets(file, slowFirst)
  await Promise.all([
    secrets.set('ssh-key', 'first'),
    secrets.set('ngrok-token', 'other'),
    secrets.set('ssh-key', 'last'),
  ])
  const again = openSecrets(file, vault())
  expect([await again.find('ssh-key'), await again.find('ngrok-token')]).toEqual(['last', 'other'])
})

test('a secret that was sealed with an old key is sealed with the new one', async () => {
  await openSecrets(file, vault(1)).set('ssh-key', 'kept')
  expect(await openSecrets(file, vault(2, [1, 2])).find('ssh-key')).toBe('kept')
  expect(await openSecrets(file, vault(2, [2])).find('ssh-key')).toBe('kept')
})

test('where that fails it is found all the same, and stays as it was', async () => {
  await openSecrets(file, vault(1)).set('ssh-key', 'kept')
  const before = readFileSync(file, 'utf8')
  const broken = { ...vault(2, [1, 2]), seal: () => Promise.reject(new Error('no')) }
  expect(await openSecrets(file, broken).find('ssh-key')).toBe('kept')
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('what the keychain doesn’t open stays, and others are found beside it', async () => {
  await openSecrets(file, vault(1)).set('ssh-key', 'theirs')
  const secrets = openSecrets(file, vault(2, [2]))
  await secrets.set('ngrok-token', 'mine')
  await expect(secrets.find('ssh-key')).rejects.toMatchObject({ reason: 'unreadable' })
  expect(await secrets.find('ngrok-token')).toBe('mine')
  expect(await openSecrets(file, vault(1)).find('ssh-key')).toBe('theirs')
})

test('what the keychain refuses to seal changes nothing', async () => {
  await openSecrets(file, vault()).set('ssh-key', 'before')
  const refusing = { ...vault(), seal: () => Promise.reject(new SecretFailure('no keychain', 'None.')) }
  await expect(openSecrets(file, refusing).set('ssh-key', 'after')).rejects.toMatchObject({
    reason: 'no keychain',
  })
  expect(await openSecrets(file, vault()).find('ssh-key')).toBe('before')
})

test.each(['{', '[]', '{"ssh-key": 5}', '{"ssh-key": "not base 64!"}', '\0\0'])(
  'a damaged file (%j) is kept aside and told, and a new secret can be kept',
  async (damaged) => {
    writeFileSync(file, damaged)
    const secrets = openSecrets(file, vault())
    const found = secrets.find('ssh-key')
    await expect(found).rejects.toMatchObject({ reason: 'unreadable' })
    const aside = readdirSync(folder).find((name) => name.startsWith('secrets.damaged'))!
    await expect(found).rejects.toThrow(path.join(folder, aside))
    expect(readFileSync(path.join(folder, aside), 'utf8')).toBe(damaged)
    await secrets.set('ssh-key', 'new')
    expect(await openSecrets(file, vault()).find('ssh-key')).toBe('new')
  },
)

test('a file that can’t be written is said, and what was kept stays', async () => {
  const secrets = openSecrets(file, vault())
  await secrets.set('ssh-key', 'before')
  rmSync(file)
  mkdirSync(file)
  await expect(secrets.set('ssh-key', 'after')).rejects.toMatchObject({ reason: 'not written' })
  await expect(secrets.remove('ssh-key')).rejects.toThrow('Nothing was changed.')
  expect(await secrets.find('ssh-key')).toBe('before')
})
