import type { SafeStorage } from 'electron'
import { SecretFailure } from '../../server/contract/secrets.ts'
import type { Vault } from './secrets.ts'

type Keychain = Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>

/**
 * The system's own keychain. Only after the app is ready.
 *
 * On Linux Chromium goes on without one, with a key that is the same for everybody and known to all. It says so for a
 * desktop that it doesn't know (`basic_text`); where a keychain should be and doesn't answer, only what was sealed
 * tells: it begins with `v10` then. On the other systems `v10` stands for the keychain's own key.
 */
export function createVault(keychain: Keychain, platform: NodeJS.Platform = process.platform): Vault {
  const isLinux = platform === 'linux'
  const none = (cause?: unknown) =>
    new SecretFailure('no keychain', isLinux ? noneOnLinux : noneElsewhere, { cause })

  async function refuseWithoutKeychain() {
    if (isLinux && keychain.getSelectedStorageBackend() === 'basic_text') throw none()
    if (!(await keychain.isAsyncEncryptionAvailable())) throw none()
  }

  return {
    async seal(secret) {
      await refuseWithoutKeychain()
      const sealed = await keychain.encryptStringAsync(secret).catch((error: unknown) => {
        throw isBusy(error) ? locked(error) : none(error)
      })
      if (isLinux && sealed.subarray(0, 3).toString('latin1') === 'v10') throw none()
      return sealed
    },
    async open(sealed) {
      await refuseWithoutKeychain()
      try {
        const { result, shouldReEncrypt } = await keychain.decryptStringAsync(sealed)
        return { secret: result, isStale: shouldReEncrypt }
      } catch (error) {
        throw isBusy(error) ? locked(error) : new SecretFailure('unreadable', notOurs, { cause: error })
      }
    },
  }
}

/** In Electron's words; it has no code for it. */
const isBusy = (error: unknown) => /temporarily unavailable/i.test((error as Error).message)

const locked = (cause: unknown) =>
  new SecretFailure('locked', 'This system’s keychain is locked. Unlock it and try again.', { cause })

const notOurs =
  'This system’s keychain doesn’t open it: it was kept by another account, on another machine, or before the keychain was made anew. Enter it again.'
const noneOnLinux =
  'No keychain answers here, and without one Galley keeps no keys and tokens: whoever gets hold of the file could read them. Install GNOME Keyring or KWallet, sign in again, and start Galley again.'
const noneElsewhere =
  'This system’s keychain can’t be reached, and without it Galley keeps no keys and tokens. Unlock it and start Galley again.'
