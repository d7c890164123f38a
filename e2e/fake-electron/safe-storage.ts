// Sealing with the system's keychain, as on Linux: there is none, so that anybody could open what is sealed, unless the
// switch that names one was given (--password-store=gnome-libsecret). That one is the profile's own.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { getProfile, isReady } from './state.ts'
import { strict } from './strict.ts'

const named = { 'gnome-libsecret': 'gnome_libsecret', kwallet6: 'kwallet6' } as const
const store = process.argv.find((arg) => arg.startsWith('--password-store='))?.split('=')[1]
const backend = Object.entries(named).find(([name]) => name === store)?.[1] ?? 'basic_text'

const keyOf = (kind: string) =>
  createHash('sha256')
    .update(kind === 'v11' ? `the keychain of ${getProfile()}` : 'known to everybody')
    .digest()

function refuseBeforeReady() {
  if (!isReady()) throw new Error('safeStorage cannot be used before app is ready')
}

export const safeStorage = strict('safeStorage', {
  getSelectedStorageBackend: () => (isReady() ? backend : 'unknown'),
  isAsyncEncryptionAvailable: async () => isReady(),
  async encryptStringAsync(text: string) {
    refuseBeforeReady()
    const kind = backend === 'basic_text' ? 'v10' : 'v11'
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keyOf(kind), nonce)
    const sealed = [cipher.update(text, 'utf8'), cipher.final()]
    return Buffer.concat([Buffer.from(kind), nonce, cipher.getAuthTag(), ...sealed])
  },
  async decryptStringAsync(sealed: Buffer) {
    refuseBeforeReady()
    try {
      const kind = sealed.toString('latin1', 0, 3)
      // Without the keychain there is no key for what was sealed with its own.
      if (kind === 'v11' && backend === 'basic_text') throw new Error('no key')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(kind), sealed.subarray(3, 15))
      decipher.setAuthTag(sealed.subarray(15, 31))
      const text = Buffer.concat([decipher.update(sealed.subarray(31)), decipher.final()])
      return { result: text.toString('utf8'), shouldReEncrypt: kind === 'v10' && backend !== 'basic_text' }
    } catch {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.')
    }
  },
})
