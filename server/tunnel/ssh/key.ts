import type { Secrets } from '../../contract/secrets.ts'

/** What goes behind the public key, so that whoever reads `authorized_keys` knows whose it is. */
const comment = 'galley'

// Loaded when it is needed: most people never need it, and a start needn't wait for it.
const ssh2 = async () => (await import('ssh2')).default

/**
 * Makes an Ed25519 pair and keeps its private half, in the place of the one before.
 * @returns the public half, as it stands in `authorized_keys`
 * @throws SecretFailure if it can't be kept; nothing has changed then
 */
export async function createKey(secrets: Secrets): Promise<string> {
  const pair = await generatePair()
  await secrets.set('ssh-key', pair.private)
  return pair.public.trim()
}

/**
 * One of about 256 keys that ssh2 1.17 makes can't be read again, not even by itself: where a half begins with a zero
 * byte, it leaves that out.
 */
async function generatePair() {
  const { utils } = await ssh2()
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519', { comment })
    if (!(utils.parseKey(pair.private) instanceof Error)) return pair
  }
}

/** The public half of a private key; undefined if it is none, or is locked by a passphrase. */
export async function publicKeyOf(privateKey: string): Promise<string | undefined> {
  const { utils } = await ssh2()
  const parsed = utils.parseKey(privateKey)
  if (parsed instanceof Error || !parsed.isPrivateKey()) return undefined
  return `${parsed.type} ${parsed.getPublicSSH().toString('base64')} ${comment}`
}
