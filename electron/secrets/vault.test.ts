import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

type Backend = 'basic_text' | 'gnome_libsecret'

/** A keychain as Electron shows it: what it seals begins with the kind of key it was sealed with. */
function keychain(given: { backend?: Backend; available?: boolean; kind?: string; fails?: string } = {}) {
  const { backend = 'gnome_libsecret', available = true, kind = 'v11', fails } = given
  const fail = () => Promise.reject(new Error(fails))
  return {
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: async () => available,
    encryptStringAsync: async (text: string) => (fails ? fail() : Buffer.from(kind + text)),
    decryptStringAsync: async (sealed: Buffer) =>
      fails ? fail() : { result: sealed.toString().slice(3), shouldReEncrypt: kind === 'old' },
  }
}

test('what is sealed can be opened, and is said to be stale where the system has another key now', async () => {
  const vault = createVault(keychain(), 'linux')
  expect(await vault.open(await vault.seal('mine'))).toEqual({ secret: 'mine', isStale: false })
  const other = createVault(keychain({ kind: 'old' }), 'linux')
  expect(await other.open(Buffer.from('oldmine'))).toEqual({ secret: 'mine', isStale: true })
})

test.each([
  ['Linux says that it has none', keychain({ backend: 'basic_text' }), 'linux'],
  ['Linux has one that doesn’t answer, and seals with a known key', keychain({ kind: 'v10' }), 'linux'],
  ['none is available', keychain({ available: false }), 'darwin'],
  ['sealing fails', keychain({ fails: 'Error while encrypting the text.' }), 'win32'],
] as const)('nothing is sealed where %s, with a reason', async (_where, without, platform) => {
  const sealed = createVault(without, platform).seal('mine')
  await expect(sealed).rejects.toMatchObject({ reason: 'no keychain' })
  const advice = platform === 'linux' ? /Install GNOME Keyring or KWallet/ : /Unlock it/
  await expect(sealed).rejects.toThrow(advice)
})

test('nothing is opened where there is no keychain', async () => {
  const vault = createVault(keychain({ backend: 'basic_text' }), 'linux')
  await expect(vault.open(Buffer.from('v10mine'))).rejects.toMatchObject({ reason: 'no keychain' })
})

test.each(['darwin', 'win32'] as const)('on %s “v10” is the keychain’s own key', async (platform) => {
  const own = { ...keychain({ kind: 'v10' }), getSelectedStorageBackend: () => 'basic_text' as const }
  expect((await createVault(own, platform).seal('mine')).toString()).toBe('v10mine')
})

test('a locked keychain and one that doesn’t know a secret are told apart', async () => {
  const busy = createVault(keychain({ fails: 'x is temporarily unavailable. Please try again.' }), 'linux')
  await expect(busy.open(Buffer.from('v11x'))).rejects.toMatchObject({ reason: 'locked' })
  await expect(busy.seal('x')).rejects.toMatchObject({ reason: 'locked' })
  const other = createVault(keychain({ fails: 'Error while decrypting the ciphertext.' }), 'linux')
  await expect(other.open(Buffer.from('v11x'))).rejects.toMatchObject({ reason: 'unreadable' })
})
